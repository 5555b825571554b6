// Runs the store's scripts without a server: as much of Lua as they use. What it does not know, it refuses, when a script
// is compiled; a test holds it to a real server.
import luaparse, { type CallExpression, type Expression, type Statement } from 'luaparse';
import { LuaMany, LuaTable, type LuaValue, library, tableIn, textOf } from './lua-values.ts';

/** The variables of a block, and of those around it. */
class Scope {
  readonly values = new Map<string, LuaValue>();
  readonly #around: Scope | undefined;

  constructor(around?: Scope) {
    this.#around = around;
  }

  of(name: string): Scope | undefined {
    return this.values.has(name) ? this : this.#around?.of(name);
  }
}

interface Returned {
  readonly value: LuaValue;
}

/** What a statement returns that ends a loop. */
const BREAK: Returned = { value: undefined };

type Run = (scope: Scope) => Returned | undefined;
type Evaluate = (scope: Scope) => LuaValue;

/** Compiles a script; it is run with its globals. */
export function compileLua(text: string): (globals: Readonly<Record<string, LuaValue>>) => LuaValue {
  const body = block(luaparse.parse(text, { comments: false }).body);
  return (globals) => {
    const scope = new Scope();
    for (const [name, value] of Object.entries({ ...library, ...globals })) scope.values.set(name, value);
    return body(scope)?.value;
  };
}

const unknown = (node: { readonly type: string }): Error => new Error(`The simulation knows no ${node.type} in Lua.`);
const isTrue = (value: LuaValue): boolean => value !== undefined && value !== false;

function block(statements: readonly Statement[]): Run {
  const runs = statements.map(statement);
  return (scope) => {
    for (const run of runs) {
      const returned = run(scope);
      if (returned) return returned;
    }
    return undefined;
  };
}

function statement(node: Statement): Run {
  switch (node.type) {
    case 'LocalStatement': {
      const names = node.variables.map(({ name }) => name);
      const values = several(node.init);
      return (scope) => {
        const found = values(scope);
        for (const [index, name] of names.entries()) scope.values.set(name, found[index]);
        return undefined;
      };
    }
    case 'AssignmentStatement': {
      const assigns = node.variables.map(assignment);
      const values = node.init.map(expression);
      return (scope) => {
        const found = values.map((value) => value(scope));
        for (const [index, assign] of assigns.entries()) assign(scope, found[index]);
        return undefined;
      };
    }
    case 'CallStatement': {
      const call = expression(node.expression);
      return (scope) => void call(scope);
    }
    case 'ReturnStatement': {
      const values = several(node.arguments);
      return (scope) => {
        const found = values(scope);
        return { value: found.length > 1 ? new LuaMany(found) : found[0] };
      };
    }
    case 'BreakStatement':
      return () => BREAK;
    case 'IfStatement': {
      const clauses = node.clauses.map((clause) => ({
        when: clause.type === 'ElseClause' ? () => true : expression(clause.condition),
        run: block(clause.body),
      }));
      return (scope) => clauses.find(({ when }) => isTrue(when(scope)))?.run(new Scope(scope));
    }
    case 'FunctionDeclaration': {
      const { identifier } = node;
      if (identifier?.type !== 'Identifier') throw unknown(node);
      const make = expression(node);
      return (scope) => void scope.values.set(identifier.name, make(scope));
    }
    case 'ForNumericStatement': {
      const [from, to, step] = [node.start, node.end, node.step].map((each) => (each ? expression(each) : () => 1));
      const run = block(node.body);
      const { name } = node.variable;
      return (scope) => {
        const [first, last, by] = [Number(from?.(scope)), Number(to?.(scope)), Number(step?.(scope))];
        for (let at = first; by > 0 ? at <= last : at >= last; at += by) {
          const inner = new Scope(scope);
          inner.values.set(name, at);
          const returned = run(inner);
          if (returned === BREAK) break;
          if (returned) return returned;
        }
        return undefined;
      };
    }
    case 'ForGenericStatement': {
      const [iterator] = node.iterators;
      if (iterator === undefined) throw unknown(node);
      const over = expression(iterator);
      const run = block(node.body);
      const [key, value] = node.variables.map(({ name }) => name);
      return (scope) => {
        for (const [eachKey, eachValue] of [...tableIn(over(scope)).entries]) {
          const inner = new Scope(scope);
          if (key !== undefined) inner.values.set(key, eachKey);
          if (value !== undefined) inner.values.set(value, eachValue);
          const returned = run(inner);
          if (returned === BREAK) break;
          if (returned) return returned;
        }
        return undefined;
      };
    }
    default:
      throw unknown(node);
  }
}

function assignment(node: Expression): (scope: Scope, value: LuaValue) => void {
  if (node.type === 'Identifier') {
    return (scope, value) => {
      const owner = scope.of(node.name);
      if (!owner) throw new Error(`Lua: Redis forbids the global variable ${node.name}.`);
      owner.values.set(node.name, value);
    };
  }
  if (node.type !== 'IndexExpression') throw unknown(node);
  const [base, index] = [expression(node.base), expression(node.index)];
  return (scope, value) => tableIn(base(scope)).set(index(scope), value);
}

function expression(node: Expression): Evaluate {
  switch (node.type) {
    case 'Identifier':
      return (scope) => scope.of(node.name)?.values.get(node.name);
    case 'StringLiteral': {
      // The parser leaves the value of texts to who has chosen an encoding.
      const text = node.raw.slice(1, -1).replaceAll('\\n', '\n');
      return () => text;
    }
    case 'NumericLiteral':
    case 'BooleanLiteral':
      return () => node.value;
    case 'NilLiteral':
      return () => undefined;
    case 'IndexExpression': {
      const [base, index] = [expression(node.base), expression(node.index)];
      return (scope) => tableIn(base(scope)).entries.get(index(scope));
    }
    case 'MemberExpression': {
      const base = expression(node.base);
      return (scope) => tableIn(base(scope)).entries.get(node.identifier.name);
    }
    case 'CallExpression': {
      const call = callOf(node);
      return (scope) => {
        const value = call(scope);
        return value instanceof LuaMany ? value.values[0] : value;
      };
    }
    case 'FunctionDeclaration': {
      const run = block(node.body);
      const names = node.parameters.map((each) => (each.type === 'Identifier' ? each.name : ''));
      return (scope) =>
        (...args) => {
          const inner = new Scope(scope);
          for (const [index, name] of names.entries()) inner.values.set(name, args[index]);
          return run(inner)?.value;
        };
    }
    case 'TableConstructorExpression': {
      const values = several(
        node.fields.map((field) => {
          if (field.type !== 'TableValue') throw unknown(field);
          return field.value;
        }),
      );
      return (scope) => LuaTable.of(values(scope));
    }
    case 'LogicalExpression': {
      const [left, right] = [expression(node.left), expression(node.right)];
      const isAnd = node.operator === 'and';
      return (scope) => {
        const value = left(scope);
        return isTrue(value) === isAnd ? right(scope) : value;
      };
    }
    case 'UnaryExpression': {
      const argument = expression(node.argument);
      if (node.operator === 'not') return (scope) => !isTrue(argument(scope));
      if (node.operator === '-') return (scope) => -Number(argument(scope));
      if (node.operator !== '#') throw unknown(node);
      return (scope) => {
        const value = argument(scope);
        return typeof value === 'string' ? value.length : tableIn(value).length;
      };
    }
    case 'BinaryExpression':
      return binary(node.operator, expression(node.left), expression(node.right));
    default:
      throw unknown(node);
  }
}

function callOf(node: CallExpression): Evaluate {
  const base = expression(node.base);
  const args = several(node.arguments);
  return (scope) => {
    const call = base(scope);
    if (typeof call !== 'function') throw new Error('Lua: what is called is not a function.');
    return call(...args(scope));
  };
}

/** A list of values, to which a call at its end adds all that it returns. */
function several(nodes: readonly Expression[]): (scope: Scope) => LuaValue[] {
  const last = nodes.at(-1);
  if (last?.type !== 'CallExpression') {
    const values = nodes.map(expression);
    return (scope) => values.map((value) => value(scope));
  }
  const values = nodes.slice(0, -1).map(expression);
  const call = callOf(last);
  return (scope) => {
    const found = values.map((value) => value(scope));
    const value = call(scope);
    return value instanceof LuaMany ? [...found, ...value.values] : [...found, value];
  };
}

const operators: Readonly<Record<string, (left: LuaValue, right: LuaValue) => LuaValue>> = {
  '+': (left, right) => Number(left) + Number(right),
  '-': (left, right) => Number(left) - Number(right),
  '*': (left, right) => Number(left) * Number(right),
  '/': (left, right) => Number(left) / Number(right),
  '%': (left, right) => Number(left) % Number(right),
  '..': (left, right) => textOf(left) + textOf(right),
  '==': (left, right) => left === right,
  '~=': (left, right) => left !== right,
  '<': (left, right) => order(left, right, (a, b) => a < b),
  '>': (left, right) => order(left, right, (a, b) => a > b),
  '<=': (left, right) => order(left, right, (a, b) => a <= b),
  '>=': (left, right) => order(left, right, (a, b) => a >= b),
};

function order(left: LuaValue, right: LuaValue, compare: (a: number, b: number) => boolean): boolean {
  if (typeof left === 'number' && typeof right === 'number') return compare(left, right);
  throw new Error(`Lua: ${textOf(left)} and ${textOf(right)} are not compared.`);
}

function binary(operator: string, left: Evaluate, right: Evaluate): Evaluate {
  const apply = operators[operator];
  if (!apply) throw new Error(`The simulation knows no ${operator} in Lua.`);
  return (scope) => apply(left(scope), right(scope));
}
