import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { METRICS } from '../../src/core/metrics.ts'
import { fromJson } from '../support/json.ts'

const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8')

/** Returns the metrics that a text names, without prefix and without the ends of samples of histograms. */
function namedIn(text: string): Set<string> {
  const names = [...text.matchAll(/\bparley_(\w+)/g)].map(([, name]) => name!)
  return new Set(names.map((name) => name.replace(/(_seconds)_(?:bucket|sum|count)$/, '$1')))
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string
    readonly targets: readonly { readonly expr: string }[]
  }[]
}

describe('the files of ops', () => {
  it.each(['ops/alerts.yml', 'ops/grafana-dashboard.json'])('%s names only metrics that exist', (path) => {
    const named = namedIn(read(path))
    expect(named.size).toBeGreaterThan(5)
    expect([...named].filter((name) => !METRICS.has(name))).toEqual([])
  })

  it('the dashboard has a query in each panel, of the chosen organizations', () => {
    const { panels } = fromJson<Dashboard>(read('ops/grafana-dashboard.json'))
    expect(panels.length).toBeGreaterThan(10)
    for (const { title, targets } of panels) {
      expect(targets.length, title).toBeGreaterThan(0)
      for (const { expr } of targets) expect(expr, title).toMatch(/realm=~"\$realm"|parley_d1_bytes/)
    }
  })
})

it('the page about metrics lists exactly those that exist, with their kinds', () => {
  const rows = [...read('docs/metrics.md').matchAll(/^\| `parley_(\w+)` \| (\w+) \|/gm)]
  const listed = rows.map(([, name, type]) => `${name} ${type}`)
  expect(listed).toEqual([...METRICS].map(([name, { type }]) => `${name} ${type}`))
})
