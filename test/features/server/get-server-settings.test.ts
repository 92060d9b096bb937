import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { ApiClient, askWorker } from '../../support/api.ts'
import { expectSuccess } from '../../support/factories.ts'
import { endpointOf } from '../../support/inside-declarations.ts'
import { readJson } from '../../support/json.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm } = useRealm({}, { name: 'Ferns & Co' })

describe('server settings', () => {
  it('need no login and have every key that is declared', async () => {
    const settings = expectSuccess(await realm.anonymous.get('/server_settings'))
    v.parse(endpointOf('get-server-settings').returns, settings)
    expect(settings).toMatchObject({
      realm_name: 'Ferns & Co',
      realm_url: `http://${realm.host}`,
      realm_uri: `http://${realm.host}`,
      zulip_feature_level: 500,
      svc_feature_level: 500,
      external_authentication_methods: [],
      push_notifications_enabled: false,
      realm_web_public_access_enabled: false,
      is_incompatible: false,
    })
    expect(settings.zulip_version).toBe(settings.svc_version)
    expect(settings.realm_icon).toMatch(/^https:\/\//)
  })

  it('name every way to log in, and dev only in local development', async () => {
    const { authentication_methods } = expectSuccess(await realm.anonymous.get('/server_settings'))
    expect(authentication_methods).toEqual({
      password: true,
      dev: true,
      email: true,
      ldap: false,
      remoteuser: false,
      github: false,
      azuread: false,
      gitlab: false,
      google: false,
      apple: false,
      saml: false,
      'openid connect': false,
    })
  })

  it('are refused with 400 if no organization answers', async () => {
    const response = await askWorker(new Request('http://nobody.test/api/v1/server_settings'))
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ result: 'error', msg: 'Invalid subdomain', code: 'BAD_REQUEST' })
  })

  it('mark clients with the incompatible name as incompatible', async () => {
    const client = new ApiClient({ host: realm.host, realmId: realm.id, userAgent: 'ZulipInvalid/1.0' })
    expect(expectSuccess(await client.get('/server_settings')).is_incompatible).toBe(true)
  })

  it('come with /compatibility, which tells browsers whether they are supported', async () => {
    const ask = async (headers: Record<string, string>) => {
      const response = await askWorker(new Request(`http://${realm.host}/compatibility`, { headers }))
      const { msg } = await readJson<{ msg: string }>(response)
      return [response.status, msg]
    }
    expect(await ask({ 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64)' })).toEqual([200, ''])
    expect(await ask({ 'User-Agent': 'ZulipInvalid/1.0' })).toEqual([400, 'Client is too old'])
    expect(await ask({})).toEqual([400, 'User-Agent header missing from request'])
  })

  it('list unsupported parameters', async () => {
    const body = expectSuccess(await realm.anonymous.get('/server_settings', { b: 1, a: 2 }))
    expect(body.ignored_parameters_unsupported).toEqual(['a', 'b'])
  })

  it('have these fields without a login', async () => {
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
      realm_name: 'Ferns & Co',
      realm_icon: expect.stringMatching(/^https?:/),
      realm_description: expect.any(String),
      realm_web_public_access_enabled: false,
    })
  })

  it('have the version under both names', async () => {
    const settings = expectSuccess(await realm.anonymous.get('/server_settings'))
    for (const name of ['feature_level', 'version', 'merge_base']) {
      expect(settings[`zulip_${name}`]).toEqual(settings[`svc_${name}`])
    }
  })
})
