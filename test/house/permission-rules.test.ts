import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'

const texts = new Map(
  globSync('src/**/*.ts', { cwd: PROJECT }).map((file) => [file, readFileSync(join(PROJECT, file), 'utf8')]),
)

/** Returns the functions of the folder, with the number of their names in the program; one of them is the declaration. */
function rules(): { rule: string; named: number }[] {
  const all = [...texts.values()].join('\n')
  return [...texts]
    .filter(([file]) => file.startsWith('src/rules/'))
    .flatMap(([, text]) => [...text.matchAll(/^export function (\w+)/gm)].map(([, rule]) => rule!))
    .map((rule) => ({ rule, named: all.match(new RegExp(`\\b${rule}\\b`, 'g'))!.length }))
}

describe('the rules of permissions', () => {
  it('are all used by the server, and not by tests alone', () => {
    const found = rules()
    expect(found.length).toBeGreaterThan(50)
    expect(found.filter(({ named }) => named < 2)).toEqual([])
  })
})
