import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { integrationsPage, PICTURES_FOLDER, pictureName } from '../../scripts/integrations-page.ts'
import { PROJECT } from '../../scripts/project.ts'
import { SAMPLES_FILE, serviceSamples } from '../../scripts/service-samples.ts'
import { INTEGRATIONS } from '../../src/integrations/index.ts'
import { texts } from '../../texts/compiled/en/settings.ts'
import type { ServiceGuide } from '../../web/texts/service-guide.ts'

const names = INTEGRATIONS.map(({ name }) => name)

describe('docs/integrations.md', () => {
  it('equals what integrations, examples and texts generate (npm run interface)', () => {
    expect(readFileSync(join(PROJECT, 'docs/integrations.md'), 'utf8')).toBe(integrationsPage())
  })

  it('has a picture of each message as it is now (npm run pictures -- integrations)', () => {
    const pictures = readdirSync(join(PROJECT, 'docs', PICTURES_FOLDER))
    expect(pictures.toSorted()).toEqual(names.map(pictureName).toSorted())
    for (const picture of pictures) {
      const bytes = readFileSync(join(PROJECT, 'docs', PICTURES_FOLDER, picture))
      expect(bytes.subarray(8, 12).toString()).toBe('WEBP')
      expect(bytes.length).toBeLessThan(30_000)
    }
  })
})

describe('the sample posts', () => {
  it('are the posts of the pictures (npm run interface)', () => {
    expect(readFileSync(join(PROJECT, SAMPLES_FILE), 'utf8')).toBe(serviceSamples())
  })
})

describe('the texts about services', () => {
  it('say of each how it is connected, and where its secret is', () => {
    const guides: Readonly<Record<string, ServiceGuide>> = texts.bots.services
    expect(Object.keys(guides).toSorted()).toEqual(names.toSorted())
    for (const { name, verify } of INTEGRATIONS)
      expect(guides[name]!.secret !== undefined, `${name} signs`).toBe(verify !== undefined)
  })
})
