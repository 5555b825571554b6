// Values of Lua, and the functions that every script of Redis can call.

/** Its keys are texts and numbers; `length` is what `#` says of it. */
export class LuaTable {
  readonly entries = new Map<LuaValue, LuaValue>();
  #length = 0;

  static of(list: readonly LuaValue[]): LuaTable {
    const table = new LuaTable();
    for (const [index, value] of list.entries()) table.set(index + 1, value);
    return table;
  }

  get length(): number {
    return this.#length;
  }

  get list(): LuaValue[] {
    return Array.from({ length: this.length }, (_, index) => this.entries.get(index + 1));
  }

  set(key: LuaValue, value: LuaValue): void {
    if (value === undefined) this.entries.delete(key);
    else this.entries.set(key, value);
    while (this.entries.has(this.#length + 1)) this.#length += 1;
    while (this.#length > 0 && !this.entries.has(this.#length)) this.#length -= 1;
  }
}

export type LuaFunction = (...args: LuaValue[]) => LuaValue;
/** Undefined is nil. */
export type LuaValue = string | number | boolean | undefined | LuaTable | LuaFunction | LuaMany;

/** What a function returns that returns several values. */
export class LuaMany {
  readonly values: readonly LuaValue[];

  constructor(values: readonly LuaValue[]) {
    this.values = values;
  }
}

/** A table of functions, such as `redis`. */
export function luaLibrary(functions: Readonly<Record<string, LuaFunction>>): LuaTable {
  const table = new LuaTable();
  for (const [name, each] of Object.entries(functions)) table.set(name, each);
  return table;
}

export const library: Readonly<Record<string, LuaValue>> = {
  tonumber: (value) => (value === undefined || Number.isNaN(Number(value)) ? undefined : Number(value)),
  tostring: (value) => textOf(value),
  // What is iterated over is what the loop takes.
  pairs: (table) => table,
  ipairs: (table) => LuaTable.of(tableIn(table).list),
  unpack: (table, from = 1, to = tableIn(table).length) =>
    new LuaMany(tableIn(table).list.slice(Number(from) - 1, Number(to))),
  math: luaLibrary({
    floor: (value) => Math.floor(Number(value)),
    max: (...values) => Math.max(...values.map(Number)),
    min: (...values) => Math.min(...values.map(Number)),
  }),
  string: luaLibrary({
    sub: (text, from, to) => textOf(text).slice(Number(from) - 1, to === undefined ? undefined : Number(to)),
    len: (text) => textOf(text).length,
    match(text, pattern) {
      // Of what patterns can be, as much as the scripts use.
      if (!/^[\w:]+\(%x\+\)$/.test(textOf(pattern)))
        throw new Error(`The simulation knows no pattern ${textOf(pattern)}.`);
      return new RegExp(textOf(pattern).replace('%x', '[0-9a-f]')).exec(textOf(text))?.[1];
    },
    find(text, part, from = 1, isPlain) {
      if (isPlain !== true) throw new Error('The simulation knows no patterns of Lua.');
      const at = textOf(text).indexOf(textOf(part), Number(from) - 1);
      return at < 0 ? undefined : at + 1;
    },
  }),
  table: luaLibrary({
    insert(table, value) {
      tableIn(table).set(tableIn(table).length + 1, value);
      return undefined;
    },
    concat: (table, between) =>
      tableIn(table)
        .list.map(textOf)
        .join(between === undefined ? '' : textOf(between)),
  }),
  cjson: luaLibrary({
    encode: (value) => JSON.stringify(plainOf(value)),
    decode: (text) => luaOf(JSON.parse(textOf(text))),
  }),
};

export function tableIn(value: LuaValue): LuaTable {
  if (!(value instanceof LuaTable)) throw new Error(`Lua: ${textOf(value)} is not a table.`);
  return value;
}

export function textOf(value: LuaValue): string {
  if (typeof value === 'string') return value;
  // As `%.14g`: whole numbers have no fraction.
  if (typeof value === 'number') return String(Number(value.toPrecision(14)));
  return value === undefined ? 'nil' : String(value);
}

function plainOf(value: LuaValue): unknown {
  if (!(value instanceof LuaTable)) return value;
  if (value.length > 0 || value.entries.size === 0) return value.list.map(plainOf);
  return Object.fromEntries([...value.entries].map(([key, each]) => [key, plainOf(each)]));
}

function luaOf(value: unknown): LuaValue {
  if (Array.isArray(value)) return LuaTable.of(value.map(luaOf));
  if (typeof value === 'object' && value !== null) {
    const table = new LuaTable();
    for (const [key, each] of Object.entries(value)) table.set(key, luaOf(each));
    return table;
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}
