//! Reads the declarations from source files.
