// Starts a sandbox for each test file that names this environment, as `sandbox`, with the rest of the library as
// `ringback`. Ringback is an ES module: Jest loads those here, but not in tests that are CommonJS.
const { TestEnvironment } = require('jest-environment-node');

module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    const ringback = await import('ringback');
    this.sandbox = await ringback.createSandbox({ clock: 'manual', scenarios: 'ringback/scenarios' });
    Object.assign(this.global, { ringback, sandbox: this.sandbox });
  }

  async teardown() {
    await this.sandbox?.close();
    await super.teardown();
  }
};
