/** Fills the tables of docs/performance.md, whose words are written there. */
import { countedTables } from './counted-tables.ts'
import { measuredTables } from './measured-tables.ts'

/** A table stands between `<!-- name -->` and `<!-- /name -->`. */
const TABLE = /(?<=<!-- ([a-z-]+) -->\n)[\s\S]*?(?=<!-- \/\1 -->)/g

/** Returns the page with each of its tables made anew. */
export function withTables(page: string): string {
  const tables: Readonly<Record<string, readonly string[]>> = { ...countedTables(), ...measuredTables() }
  const filled = new Set<string>()
  const text = page.replace(TABLE, (_, name: string) => {
    const lines = tables[name]
    if (!lines) throw new Error(`There is no table named ${name}`)
    filled.add(name)
    return lines.map((line) => `${line}\n`).join('')
  })
  const missing = Object.keys(tables).filter((name) => !filled.has(name))
  if (missing.length > 0) throw new Error(`The page has no place for the tables ${missing.join(', ')}`)
  return text
}
