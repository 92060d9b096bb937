import { readFileSync } from 'node:fs'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { ENDPOINTS } from '../../src/features/index.ts'
import { fromJson } from '../support/json.ts'
import type { MetaWithRoutes } from '../support/requested-routes.ts'
import { OPERATIONS_FILE, type PublicOperation } from './public-operations.ts'
import { untried } from './untried-operations.ts'

/**
 * Fails a run of all tests if no black-box test got a success from an operation that clients need, or if no test requested
 * an endpoint. (Some of the other operations can only refuse.)
 */
export class OperationsReporter implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const requested = modules
      .flatMap((module) => [...module.children.allTests()])
      .flatMap((test) => {
        const routes = (test.meta() as MetaWithRoutes).requested
        return routes ? [routes] : []
      })
    const problems = untried(neededOperations(), ENDPOINTS, requested)
    if (problems.length === 0) return
    this.#vitest!.logger.error(`\nOperations without a black-box test:\n  ${problems.join('\n  ')}\n`)
    process.exitCode = 1
  }
}

function neededOperations(): PublicOperation[] {
  const operations = fromJson<PublicOperation[]>(readFileSync(OPERATIONS_FILE, 'utf8'))
  return operations.filter(({ priority }) => priority <= 2)
}
