// A reporter for Vitest that names what failed at the end of the output, in a few lines: a CI may show no more of it.
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

const MOST_FAILURES = 5;
const MOST_CHARACTERS = 400;

/** The first lines of an error's message, without the values that were compared. */
function summary({ name, message }: SerializedError): string {
  const text = `${name ?? 'Error'}: ${message}`.replace(/\s+/g, ' ');
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}

function failuresOf(module: TestModule): string[] {
  const path = module.relativeModuleId;
  const failures = module.errors().map((error) => `${path}\n  ${summary(error)}`);
  for (const suite of module.children.allSuites())
    failures.push(...suite.errors().map((error) => `${path} > ${suite.fullName}\n  ${summary(error)}`));
  for (const test of module.children.allTests('failed')) {
    const { errors = [] } = test.result();
    failures.push([`${path} > ${test.fullName}`, ...errors.map((error) => `  ${summary(error)}`)].join('\n'));
  }
  return failures;
}

export const namesFailures: Reporter = {
  onTestRunEnd(modules, unhandledErrors) {
    const failures = modules.flatMap(failuresOf);
    failures.push(...unhandledErrors.map((error) => `outside a test\n  ${summary(error)}`));
    if (failures.length === 0) return;
    const more = failures.length > MOST_FAILURES ? `\nand ${failures.length - MOST_FAILURES} more` : '';
    console.log(`\nFailed:\n${failures.slice(0, MOST_FAILURES).join('\n')}${more}`);
  },
};
