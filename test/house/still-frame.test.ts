import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'

const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8')

/** Returns how many shapes each part of the frame has. */
const partsOf = (text: string, shapes: RegExp) =>
  [...text.matchAll(shapes)].map(([, part, inside]) => [
    part,
    Number(inside) || inside!.split('<span>').length - 1,
  ])

it('the frame in index.html equals the one that the script draws', () => {
  const painted = partsOf(read('web/index.html'), /class="(still-(?!frame)\w+)">((?:<span><\/span>)+)/g)
  const drawn = partsOf(read('web/ui/still-frame.tsx'), /class="(still-(?!frame)\w+)">\{shapes\((\d+)\)\}/g)
  expect(painted).toHaveLength(3)
  expect(painted).toEqual(drawn)
})
