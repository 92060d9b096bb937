import { describe, expect, it } from 'vitest'
import { INTEGRATIONS } from '../../src/integrations/index.ts'
import { texts as settingsEn } from '../../texts/compiled/en/settings.ts'
import { formFor } from '../../texts/form-for.ts'
import { LANGUAGES } from '../../web/texts/languages.ts'
import type { ServiceGuide } from '../../web/texts/service-guide.ts'

const TRANSLATED = Object.entries(LANGUAGES).filter(([, { load }]) => load)

describe.each(TRANSLATED)('the texts in %s', (language) => {
  it('say of every integration how it is connected', async () => {
    const { bots } = await LANGUAGES[language]!.load!.settings()
    const services: Readonly<Record<string, ServiceGuide>> = bots.services
    for (const { name, verify } of INTEGRATIONS)
      expect([services[name]!.steps.length, services[name]!.secret !== undefined], name).toEqual([
        3,
        verify !== undefined,
      ])
  })
})

it('numbers get the forms that Arabic has for them', async () => {
  const { subscribers } = (await LANGUAGES.ar!.load!.page()).channels
  expect([0, 1, 2, 3, 10, 11, 99, 100].map(subscribers)).toEqual([
    'لا أحد',
    'شخص واحد',
    'شخصان',
    '3 أشخاص',
    '10 أشخاص',
    '11 شخصًا',
    '99 شخصًا',
    '100 شخص',
  ])
})

it('a form that a language has and a text lacks is the one for others', () => {
  expect(formFor('fr', 1_000_000, { one: 'jour', other: 'jours' })).toBe('jours')
})

it.each(['en', 'de', 'es', 'fr'])('one of a thing is counted in the singular (%s)', async (language) => {
  const { organization, usage, invitations } = (await LANGUAGES[language]!.load?.settings()) ?? settingsEn
  const counts = [
    (count: number) => organization.attempts({ count, ago: '' }),
    (count: number) => usage.perWeek({ count, written: String(count) }),
    (count: number) => invitations.waiting(count),
  ]
  // The plural is more than another number before the same words.
  for (const say of counts) expect(say(2).replace('2', '1')).not.toBe(say(1))
})
