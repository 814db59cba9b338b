enum Foreign {
    Été,
    __,
    Fine,
}
