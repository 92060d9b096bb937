import type { Reporter, TestModule, Vitest } from 'vitest/node'
import './needs.ts'

/** Prints at the end of a run the skipped tests and their missing needs (see `needs`). */
export class SkippedReporter implements Reporter {
  #vitest: Vitest | undefined
  #selected: RegExp | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
    this.#selected = vitest.config.testNamePattern
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules
      .flatMap((module) => [...module.children.allTests('skipped')])
      // Tests that a filter by name excludes are not reported.
      .filter((test) => this.#selected?.test(test.fullName.replaceAll(' > ', ' ')) ?? true)
      .map((test) => ({ file: test.module.relativeModuleId, why: test.meta().needs ?? NO_REASON }))
    if (skipped.length === 0) return
    const lines = [...Map.groupBy(skipped, ({ why }) => why)].flatMap(([why, tests]) => [
      `${tests.length} skipped, for want of ${why}:`,
      ...[...Map.groupBy(tests, ({ file }) => file)].map(([file, those]) => `  ${those.length} in ${file}`),
    ])
    this.#vitest!.logger.log(`\n${lines.join('\n')}\n`)
  }
}

const NO_REASON = 'a reason: none is given'
