/**
 * Writes src/markdown/top-level-domains.ts: the domains that make a name without a scheme a link. They are those of IANA, as the package `tlds`
 * has them. Nothing else needs the package: unpack it somewhere, and give the path of its folder.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromJson } from './json.ts'

const [folder = 'package'] = process.argv.slice(2)
const tableFile = new URL('../src/markdown/top-level-domains.ts', import.meta.url)
const lineLength = 130

const read = <Value extends object>(name: string): Value =>
  fromJson<Value>(readFileSync(join(folder, name), 'utf8'))
const { version } = read<{ version: string }>('package.json')
const lines = ['']
for (const domain of read<string[]>('index.json').toSorted()) {
  if (lines.at(-1)!.length + domain.length >= lineLength) lines.push('')
  lines.push(`${lines.pop()!} ${domain}`.trim())
}
writeFileSync(
  tableFile,
  `// Written by scripts/build-top-level-domains.ts from the package tlds ${version}; do not edit.
/** All top-level domains, in their own letters, separated by spaces and line breaks. */
export const topLevelDomains = \`${lines.join('\n')}\`
`,
)
