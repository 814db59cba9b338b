//! Reads the file.

use redis_keys_core::value_shape::Form;

use super::damage::Damage;
use super::toml::{self, Table, Value, shortened};
use super::{Current, Expiry, Older, Part, Shapes, VERSION, ValuesFile};
use crate::date::Date;

impl ValuesFile {
    /// Reads the text of a file.
    pub(in crate::declare::values) fn parse(text: &str) -> Result<Self, Damage> {
        let text = text.replace("\r\n", "\n");
        reject_conflicts(&text)?;
        let mut tables = toml::read(&text)?.into_iter();
        check_version(&tables.next().unwrap_or_default())?;
        let mut file = Self::default();
        for table in tables {
            match &table.header[..] {
                [template] if !table.is_element => file.add_current(template, &table)?,
                [template, older] if table.is_element && older == "older" => {
                    let entry = file.entries.entry(template.clone()).or_default();
                    entry.older.push(read_older(&table)?);
                }
                header => {
                    let message = format!("unknown table `{}`", shortened(&header.join(".")));
                    return Err(Damage::new(table.line, message));
                }
            }
        }
        Ok(file)
    }

    fn add_current(&mut self, template: &str, table: &Table) -> Result<(), Damage> {
        let entry = self.entries.entry(template.to_owned()).or_default();
        if entry.current.is_some() {
            return Err(Damage::new(table.line, format!("duplicate table `{}`", shortened(template)))
                .help("delete one of the two, and run `cargo redis-keys values --accept`"));
        }
        let mut settings = Settings::of(table)?;
        let expiry = settings.text("expires_after")?;
        let expiry = read_expiry(&expiry.value)
            .ok_or_else(|| expiry.damage("expected days, such as `15d`, or `never`, as `expires_after`"))?;
        entry.current = Some(Current { expiry, shapes: settings.shapes()? });
        settings.finish()
    }
}

/// Rejects a file in which a merge has left a conflict.
fn reject_conflicts(text: &str) -> Result<(), Damage> {
    let is_marker = |line: &str| ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].iter().any(|mark| line.starts_with(mark));
    match text.lines().position(is_marker) {
        None => Ok(()),
        Some(index) => Err(Damage::new(index + 1, "unresolved merge conflict")
            .help("keep the side that is deployed first, and run `cargo redis-keys values --accept`")),
    }
}

fn check_version(table: &Table) -> Result<(), Damage> {
    for toml::Setting { name, value, line } in &table.settings {
        return match value {
            Value::Integer(VERSION) if name == "version" => continue,
            Value::Integer(version) if name == "version" => {
                let message = format!("the file has version {version}, expected {VERSION}");
                Err(Damage::new(*line, message).help("use the version of cargo-redis-keys that has written it"))
            }
            Value::Text(_) if name == "version" => Err(Damage::new(*line, "expected a number as `version`")),
            _ => Err(Damage::new(*line, format!("unknown setting `{}`", shortened(name)))),
        };
    }
    if table.settings.is_empty() {
        return Err(Damage::new(1, format!("missing `version = {VERSION}`")));
    }
    Ok(())
}

fn read_older(table: &Table) -> Result<Older, Damage> {
    let mut settings = Settings::of(table)?;
    let until = settings.text("until")?;
    let until = match until.value.as_str() {
        "never" => None,
        date => Some(
            date.parse::<Date>()
                .map_err(|()| until.damage("expected a date, such as `2026-12-31`, or `never`, as `until`"))?,
        ),
    };
    let older = Older { until, shapes: settings.shapes()? };
    settings.finish()?;
    Ok(older)
}

fn read_expiry(text: &str) -> Option<Expiry> {
    match text {
        "never" => Some(Expiry::Never),
        days => days.strip_suffix('d')?.parse().ok().map(Expiry::Days),
    }
}

/// The settings of a table that are not read yet.
struct Settings<'t> {
    table: &'t Table,
    rest: Vec<Setting>,
}

/// A text with its name, and its line.
struct Setting {
    name: String,
    value: String,
    line: usize,
}

impl Setting {
    fn damage(&self, message: &str) -> Damage {
        Damage::new(self.line, message)
    }
}

impl<'t> Settings<'t> {
    /// The settings of a table, which are texts.
    fn of(table: &'t Table) -> Result<Self, Damage> {
        let mut rest: Vec<Setting> = Vec::new();
        for toml::Setting { name, value, line } in &table.settings {
            let shown = shortened(name);
            let Value::Text(text) = value else {
                return Err(Damage::new(*line, format!("expected a text as `{shown}`")));
            };
            if rest.iter().any(|known| known.name == *name) {
                return Err(Damage::new(*line, format!("duplicate setting `{shown}`")));
            }
            rest.push(Setting { name: name.clone(), value: text.clone(), line: *line });
        }
        Ok(Self { table, rest })
    }

    /// Takes a setting, if it is there.
    fn take(&mut self, name: &str) -> Option<Setting> {
        let index = self.rest.iter().position(|setting| setting.name == name)?;
        Some(self.rest.remove(index))
    }

    fn text(&mut self, name: &str) -> Result<Setting, Damage> {
        self.take(name).ok_or_else(|| Damage::new(self.table.line, format!("missing `{name}`")))
    }

    fn shapes(&mut self) -> Result<Shapes, Damage> {
        let mut shapes = Shapes::default();
        for part in Part::ALL {
            if let Some(setting) = self.take(part.name()) {
                *shapes.slot(part) = Some(read_form(&setting)?);
            }
        }
        if shapes.is_empty() {
            return Err(Damage::new(self.table.line, "missing `value`"));
        }
        Ok(shapes)
    }

    /// Rejects the settings that are left.
    fn finish(self) -> Result<(), Damage> {
        match self.rest.first() {
            None => Ok(()),
            Some(setting) => Err(Damage::new(setting.line, format!("unknown setting `{}`", shortened(&setting.name)))),
        }
    }
}

/// The form in a literal of several lines, whose first line is below the name.
fn read_form(setting: &Setting) -> Result<Form, Damage> {
    let text = setting.value.trim_end();
    text.parse().map_err(|error: redis_keys_core::value_shape::ParseError| {
        let before = text.get(..error.at).unwrap_or(text);
        let line = setting.line + 1 + before.matches('\n').count();
        // A sign, or words.
        let is_sign = !error.expected.starts_with(|c: char| c.is_alphanumeric());
        let expected = if is_sign { format!("`{}`", error.expected) } else { error.expected.to_owned() };
        Damage::new(line, format!("expected {expected} in `{}`", setting.name))
    })
}
