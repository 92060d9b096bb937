import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { WEB } from '../../scripts/project.ts'

/** The frame before the page's script is there, which fills the window (test/house/still-frame.test.ts). */
const NOT_ON_IT = ['StillFrame']

it('the page of components shows each of them', () => {
  const page = readFileSync(join(WEB, 'components/components.tsx'), 'utf8')
  const files = readdirSync(join(WEB, 'ui')).filter((file) => file.endsWith('.tsx'))
  const components = files.flatMap((file) =>
    [...readFileSync(join(WEB, 'ui', file), 'utf8').matchAll(/^export function ([A-Z]\w+)/gm)].map(
      ([, name]) => name!,
    ),
  )
  expect(components.length).toBeGreaterThan(30)
  const missing = components.filter((name) => !page.includes(`<${name}`))
  expect(missing).toEqual(NOT_ON_IT)
})
