import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { integrationsPage, PICTURES_FOLDER, pictureName } from '../../scripts/integrations-page.ts'
import { PROJECT } from '../../scripts/project.ts'
import { SAMPLES_FILE, serviceSamples } from '../../scripts/service-samples.ts'
import { INTEGRATIONS } from '../../src/integrations/index.ts'
import { servicesDe } from '../../web/texts/services-de.ts'
import { servicesEn } from '../../web/texts/services-en.ts'

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
  it.each([
    ['English', servicesEn],
    ['German', servicesDe],
  ])('say in %s in three steps how each is connected, and where secrets are', (_, guides) => {
    expect(Object.keys(guides).toSorted()).toEqual(names.toSorted())
    for (const { name, verify } of INTEGRATIONS) {
      const { steps, secret } = guides[name]!
      expect(steps.length, name).toBe(3)
      expect(secret !== undefined, `${name} signs`).toBe(verify !== undefined)
    }
  })
})
