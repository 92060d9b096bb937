import type { Reporter, TestCase, TestModule, TestSpecification, Vitest } from 'vitest/node'

const LOOK_EVERY_MS = 60_000
/** The milliseconds after which a file counts as slow, even with every object evicted. */
const LONG_MS = 4 * 60_000
/**
 * Minutes without a result after which a run counts as hanging: tests have a timeout, but the code between them has none, and no timeout ends
 * a test that blocks its thread. No test takes that long, even when it is retried.
 */
const HANGS_AFTER_MINUTES = Number(process.env.HANGS_AFTER_MINUTES ?? 10)
/** The exit code of a run that hangs (scripts/test.ts): EX_TEMPFAIL of sysexits.h. */
const HANGS = 75

/**
 * Prints each minute the number of finished files, and the slow files with their current test, so that a hanging run shows where. Ends a run
 * without results.
 */
export class LaggingReporter implements Reporter {
  #vitest: Vitest | undefined
  #files = 0
  #ended = 0
  readonly #running = new Map<string, { readonly since: number; test: string }>()
  #look: NodeJS.Timeout | undefined
  #lastResult = Date.now()

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#files = specifications.length
    this.#look = setInterval(() => this.#print(), LOOK_EVERY_MS)
    this.#look.unref()
  }

  onTestModuleQueued(module: TestModule): void {
    this.#running.set(module.relativeModuleId, { since: Date.now(), test: 'being loaded' })
  }

  onTestModuleStart(module: TestModule): void {
    this.#running.set(module.relativeModuleId, { since: Date.now(), test: 'before the first test' })
  }

  onTestCaseReady(test: TestCase): void {
    const running = this.#running.get(test.module.relativeModuleId)
    if (running) running.test = test.fullName
  }

  onTestCaseResult(): void {
    this.#lastResult = Date.now()
  }

  onTestModuleEnd(module: TestModule): void {
    this.#lastResult = Date.now()
    this.#running.delete(module.relativeModuleId)
    this.#ended += 1
  }

  onTestRunEnd(): void {
    clearInterval(this.#look)
  }

  #print(): void {
    this.#write(`${this.#ended} of ${this.#files} files`)
    const hangs = Date.now() - this.#lastResult >= HANGS_AFTER_MINUTES * 60_000
    for (const [file, { since, test }] of this.#running) {
      const minutes = Math.floor((Date.now() - since) / 60_000)
      if (hangs || Date.now() - since >= LONG_MS) {
        this.#write(`still running after ${minutes} min: ${file} > ${test}`)
      }
    }
    if (!hangs) return
    this.#write(`No result for ${HANGS_AFTER_MINUTES} minutes: the run hangs, and is ended`)
    process.exit(HANGS)
  }

  #write(line: string): void {
    this.#vitest!.logger.log(line)
  }
}
