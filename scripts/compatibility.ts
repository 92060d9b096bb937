/**
 * `npm run compatibility`: runs the tests of the interface document (test/spec, one file a section, a
 * test a rule) and those of existing clients, and writes docs/compatibility.md from what they said, and
 * from the list of public operations compared with the endpoints that are declared.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OPERATIONS_FILE, type PublicOperation } from '../test/compatibility/public-operations.ts'
import { CLIENT_FILES, readClients } from './compatibility-clients.ts'
import { compatibilityPage, readRules, type TestReport } from './compatibility-page.ts'
import { exitWithError, PROJECT, runProgram } from './project.ts'

async function main(): Promise<void> {
  const rules = readRules(await report(['--project', 'workers', 'test/spec']))
  const clients = readClients(await report(['--project', 'node', ...CLIENT_FILES], { LONG: 'yes' }))
  const operations = JSON.parse(readFileSync(OPERATIONS_FILE, 'utf8')) as PublicOperation[]
  writeFileSync(join(PROJECT, 'docs/compatibility.md'), compatibilityPage(rules, clients, operations))
  const all = [...rules, ...clients.flatMap(({ tests }) => tests)]
  const failed = all.filter(({ passed }) => !passed)
  for (const { text } of failed) console.error(`not passed: ${text}`)
  console.log(`${all.length - failed.length} of ${all.length} passed; written to docs/compatibility.md`)
  if (failed.length > 0) process.exitCode = 1
}

/** @throws {Error} when the run leaves no report. */
async function report(args: readonly string[], env: Record<string, string> = {}): Promise<TestReport> {
  const folder = join(PROJECT, '.parley')
  mkdirSync(folder, { recursive: true })
  const output = join(folder, 'compatibility-report.json')
  // What a run that crashes leaves must not be an older one's.
  rmSync(output, { force: true })
  const vitest = join(PROJECT, 'node_modules/vitest/vitest.mjs')
  const run = ['run', ...args, '--reporter=json', `--outputFile=${output}`]
  // A rule that fails is a line of the page, not the end of it.
  await runProgram(vitest, run, { env }).catch(() => undefined)
  return JSON.parse(readFileSync(output, 'utf8')) as TestReport
}

await main().catch(exitWithError)
