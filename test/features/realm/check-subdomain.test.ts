import { expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm } = useRealm()

it('anybody can check whether a short name is free for a new organization', async () => {
  const ask = async (name: string) =>
    expectSuccess(await realm.anonymous.get(`/realm/subdomain/${encodeURIComponent(name)}`)).msg
  expect(await ask('harbour-books')).toBe('available')
  expect(await ask(realm.host.split('.')[0]!)).toBe(
    'Subdomain is already in use. Please choose a different one.',
  )
  expect(await ask('ab')).toBe('Subdomain needs to have length 3 or greater.')
  expect(await ask('-abc')).toBe("Subdomain cannot start or end with a '-'.")
  for (const name of ['Abc', 'a b c', 'x'.repeat(41)]) {
    expect(await ask(name)).toBe("Subdomain can only have lowercase letters, numbers, and '-'s.")
  }
  expect(await ask('www')).toBe('Subdomain reserved. Please choose a different one.')
})
