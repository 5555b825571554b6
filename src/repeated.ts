// Values that are often the same many times in a row, such as the headers of one client: made once, or kept once.

/** The same function, which remembers its latest result. */
export function latestOf<Of>(make: (of: Of) => string): (of: Of) => string {
  let latest: Of | undefined;
  let text = '';
  return (of) => {
    if (of !== latest) {
      text = make(of);
      latest = of;
    }
    return text;
  };
}

/** Gives the value before in the place of one that equals it, for values that are kept by the thousand. */
export function keptOnce<Value>(isSame: (a: Value, b: Value) => boolean): (value: Value) => Value {
  let latest: Value | undefined;
  return (value) => {
    if (latest === undefined || !isSame(latest, value)) latest = value;
    return latest;
  };
}

type Texts = Readonly<Record<string, string>>;

/** Whether two objects have the same names in the same order, with the same texts. */
export function hasSameTexts(a: Texts, b: Texts): boolean {
  const names = Object.keys(a);
  const others = Object.keys(b);
  return names.length === others.length && names.every((name, at) => name === others[at] && a[name] === b[name]);
}
