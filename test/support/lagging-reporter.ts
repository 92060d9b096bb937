import type { Reporter, TestCase, TestModule } from 'vitest/node'

const LOOK_EVERY_MS = 60_000
/** Milliseconds that no file takes when all is well, not even with every object evicted. */
const LONG_MS = 4 * 60_000

/** Prints the files that have been running for minutes, and the test in each, so that a run that hangs shows where. */
export class LaggingReporter implements Reporter {
  readonly #running = new Map<string, { readonly since: number; test: string }>()
  #look: NodeJS.Timeout | undefined

  onTestRunStart(): void {
    this.#look = setInterval(() => this.#print(), LOOK_EVERY_MS)
    this.#look.unref()
  }

  onTestModuleStart(module: TestModule): void {
    this.#running.set(module.relativeModuleId, { since: Date.now(), test: 'before the first test' })
  }

  onTestCaseReady(test: TestCase): void {
    const running = this.#running.get(test.module.relativeModuleId)
    if (running) running.test = test.fullName
  }

  onTestModuleEnd(module: TestModule): void {
    this.#running.delete(module.relativeModuleId)
  }

  onTestRunEnd(): void {
    clearInterval(this.#look)
  }

  #print(): void {
    for (const [file, { since, test }] of this.#running) {
      const minutes = Math.floor((Date.now() - since) / 60_000)
      if (Date.now() - since >= LONG_MS) {
        process.stdout.write(`still running after ${minutes} min: ${file} > ${test}\n`)
      }
    }
  }
}
