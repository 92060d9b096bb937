import { describe, expect, it } from 'vitest'
import { askWorker } from '../support/api.ts'
import { expectSuccess } from '../support/factories.ts'
import { readJson } from '../support/json.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm } = useRealm({}, { name: 'Settings & Co' })

describe('4.23 Get server settings', () => {
  it('needs no authentication, and has these fields', async () => {
    expect(expectSuccess(await realm.anonymous.get('/server_settings'))).toMatchObject({
      external_authentication_methods: [],
      svc_feature_level: 500,
      svc_version: expect.any(String),
      svc_merge_base: expect.any(String),
      push_notifications_enabled: false,
      is_incompatible: false,
      email_auth_enabled: true,
      require_email_format_usernames: true,
      realm_uri: `http://${realm.host}`,
      realm_url: `http://${realm.host}`,
      realm_name: 'Settings & Co',
      realm_icon: expect.stringMatching(/^https?:/),
      realm_description: expect.any(String),
      realm_web_public_access_enabled: false,
    })
  })

  it('authentication_methods has every key as a boolean', async () => {
    const { authentication_methods } = expectSuccess(await realm.anonymous.get('/server_settings'))
    expect(Object.keys(authentication_methods).sort()).toEqual(
      [
        'apple',
        'azuread',
        'dev',
        'email',
        'github',
        'gitlab',
        'google',
        'ldap',
        'openid connect',
        'password',
        'remoteuser',
        'saml',
      ].sort(),
    )
    expect(Object.values(authentication_methods).every((value) => typeof value === 'boolean')).toBe(true)
    expect(authentication_methods).toMatchObject({ password: true, ldap: false })
  })

  it('9.2 the names that existing clients read stand beside those of the document', async () => {
    const settings = expectSuccess(await realm.anonymous.get('/server_settings'))
    for (const name of ['feature_level', 'version', 'merge_base']) {
      expect(settings[`zulip_${name}`]).toEqual(settings[`svc_${name}`])
    }
  })

  it('the host of no organization: 400', async () => {
    const response = await askWorker(new Request('http://nowhere.test/api/v1/server_settings'))
    expect([response.status, (await readJson<{ msg: string }>(response)).msg]).toEqual([
      400,
      'Invalid subdomain',
    ])
  })
})
