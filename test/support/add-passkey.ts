import { expectSuccess, type TestUser } from './factories.ts'
import { SoftPasskey } from './soft-passkey.ts'

/** Adds a passkey to an account, with its key, and returns the id. */
export async function addPasskey({ api }: Pick<TestUser, 'api'>, host: string): Promise<number> {
  const passkey = await SoftPasskey.make({ origin: `http://${host}` })
  const { options } = expectSuccess(await api.post('/second_factors/passkeys/options'))
  const credential = await passkey.created(options as Parameters<SoftPasskey['created']>[0])
  return expectSuccess(await api.post('/second_factors/passkeys', { name: 'Laptop', credential })).id
}
