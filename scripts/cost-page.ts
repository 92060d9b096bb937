/** Fills the tables of docs/cost.md, whose words are written there: prices, and what one runaway client can cost. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PRICES } from '../src/model/cost/prices.ts'
import { markdownTable } from './markdown-table.ts'
import { PROJECT } from './project.ts'
import { dearestOperations, runawayDay } from './runaway-client.ts'

const PAGE = join(PROJECT, 'docs/cost.md')
const DEAREST = 5

/** Returns the page with its tables made anew. */
export function costPage(page: string): string {
  const tables: Readonly<Record<string, readonly string[]>> = {
    'prices-of-use': pricesTable(),
    runaway: runawayTable(),
    'dearest-operations': dearestTable(),
  }
  return page.replace(
    /(?<=<!-- ([a-z-]+) -->\n)[\s\S]*?(?=<!-- \/\1 -->)/g,
    (_, name: string) => `${tables[name]!.join('\n')}\n`,
  )
}

function pricesTable(): string[] {
  return markdownTable(
    ['', 'included', 'a million more'],
    Object.values(PRICES).map(({ unit, included, perMillion }) => [unit, number(included), `$${perMillion}`]),
  )
}

function runawayTable(): string[] {
  const { lines, dollars } = runawayDay()
  return markdownTable(
    ['in a day', 'requests', ''],
    [
      ...lines.map(({ what, requests, dollars }) => [what, number(requests), money(dollars)]),
      ['**together**', '', `**${money(dollars)}**`],
    ],
  )
}

function dearestTable(): string[] {
  return markdownTable(
    ['operation', 'requests', 'in a day'],
    dearestOperations()
      .slice(0, DEAREST)
      .map(({ what, requests, dollars }) => [`\`${what}\``, number(requests), money(dollars)]),
  )
}

function number(value: number): string {
  return Math.round(value).toLocaleString('en')
}

function money(dollars: number): string {
  return `$${dollars.toFixed(2)}`
}

export function writeCostPage(): void {
  writeFileSync(PAGE, costPage(readFileSync(PAGE, 'utf8')))
  console.log('Written to docs/cost.md')
}
