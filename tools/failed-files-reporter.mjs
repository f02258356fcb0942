// Tells tools/test.mjs which files failed, in the file that FAILED_FILES names.
import { writeFileSync } from 'node:fs';

/** A reporter of Vitest. It names no file if there were errors outside the tests, which no file can be blamed for. */
export default class FailedFilesReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const failed = modules.filter((module) => module.state() === 'failed');
    const files = failed.map(({ moduleId, project }) => ({ project: project.name, file: moduleId }));
    writeFileSync(process.env.FAILED_FILES, JSON.stringify(unhandledErrors.length === 0 ? files : []));
  }
}
