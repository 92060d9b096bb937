/**
 * `npm run compatibility`: runs the tests of the interface (test/features, a folder an area, a test a rule)
 * and those of existing clients, and writes docs/compatibility.md from the results, and from the public operations compared with the declared
 * endpoints.
 */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OPERATIONS_FILE, type PublicOperation } from '../test/compatibility/public-operations.ts'
import { installChromium } from './chromium.ts'
import { CLIENT_FILES, readClients } from './compatibility-clients.ts'
import { compatibilityPage, RULES, readReport, readRules, type TestReport } from './compatibility-page.ts'
import { fromJson } from './json.ts'
import { exitWithError, PROJECT, runProgram } from './project.ts'

async function main(): Promise<void> {
  installChromium()
  const rules = readRules(await report(['--project', 'workers', RULES]))
  const clients = readClients(await report(['--project', 'node', ...CLIENT_FILES], { LONG: 'yes' }))
  const operations = fromJson<PublicOperation[]>(readFileSync(OPERATIONS_FILE, 'utf8'))
  writeFileSync(join(PROJECT, 'docs/compatibility.md'), compatibilityPage(rules, clients, operations))
  const all = [...rules, ...clients.flatMap(({ tests }) => tests)]
  const failed = all.filter(({ passed }) => !passed)
  for (const { text } of failed) console.error(`failed: ${text}`)
  console.log(`${all.length - failed.length} of ${all.length} passed; written to docs/compatibility.md`)
  if (failed.length > 0) process.exitCode = 1
}

/** @throws {Error} with the run's output, when it leaves no report, or fails though none of its tests does. */
async function report(args: readonly string[], env: Record<string, string> = {}): Promise<TestReport> {
  const folder = join(PROJECT, '.parley')
  mkdirSync(folder, { recursive: true })
  const output = join(folder, 'compatibility-report.json')
  // A run that crashes must not leave the report of an earlier one.
  rmSync(output, { force: true })
  const vitest = join(PROJECT, 'node_modules/vitest/vitest.mjs')
  const run = ['run', ...args, '--reporter=json', `--outputFile=${output}`]
  const failure = await runProgram(vitest, run, { env }).then(
    () => undefined,
    (error: unknown) => error,
  )
  return readReport(existsSync(output) ? readFileSync(output, 'utf8') : undefined, failure)
}

await main().catch(exitWithError)
