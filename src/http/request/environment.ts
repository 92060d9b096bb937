import { backupStores } from '../../core/backup-store.ts'
import type { DeploymentFacts } from '../../core/call.ts'
import type { CallEnvironment } from '../../core/call-services.ts'
import { costCapsOf } from '../../core/cost-cap.ts'
import { allowsWebPublic, deployedAt, logSettingProblem } from '../../core/deployment-settings.ts'
import { fileLimits, MIB_IN_D1 } from '../../core/files.ts'
import { hostsIn } from '../../core/outgoing-target.ts'
import { type LoweredQuotas, QUOTAS, type Quota, type QuotaKind, type QuotaLimit } from '../../core/quotas.ts'
import { readRateLimits } from '../../core/rate-limits.ts'
import { canSeal, type SealingEnvironment } from '../../core/sealed-secret.ts'
import { callServices } from '../../features/calls/in-worker/call-settings.ts'
import type { HasherObject } from '../../hasher/hasher-object.ts'
import { emailDomainOf } from '../../outgoing/emails/email-sender.ts'
import type { RealmEnvironment } from '../../realm/build-runtime.ts'
import { auditLogDays } from '../../realm/jobs/housekeeping.ts'
import type { RealmObject } from '../../realm/realm-object.ts'
import { newestBodyDatabase } from '../../store/d1/body-databases.ts'
import type { RealmAddress } from '../../store/d1/realms.ts'
import { realmHost } from './request-url.ts'

/** The files deployed with the Worker. */
export type Assets = Pick<Fetcher, 'fetch'>

/** The bindings of wrangler.toml, and the environment's settings. */
export interface Environment
  extends RealmEnvironment,
    QuotaEnvironment,
    GrantEnvironment,
    AccessEnvironment,
    CallEnvironment,
    SealingEnvironment {
  readonly REALM: DurableObjectNamespace<RealmObject>
  /** Objects that hash passwords. */
  readonly HASHER: DurableObjectNamespace<HasherObject>
  /** Cloudflare Images, for pictures too large to be decoded in the Worker; without it they are shown as they are. */
  readonly IMAGES?: ImagesBinding
  /** The built web app; not bound in tests of the API. */
  readonly ASSETS?: Assets
  /** Minimum seconds that a poll is held before the heartbeat; up to 10 are added. */
  readonly POLL_HOLD_SECONDS?: string
  /** Limit of an archive for an import, in MiB. */
  readonly IMPORT_ARCHIVE_MIB?: string
  /** Keys of GIPHY and Tenor for browsers, which clients get. */
  readonly GIPHY_API_KEY?: string
  readonly TENOR_API_KEY?: string
  /** Hosts, separated by spaces, of organizations whose owners may export all private data without consent. */
  readonly OWNER_FULL_CONTENT_ACCESS?: string
  readonly OWNER_ACCOUNT_ACCESS?: string
  /** A secret; requests with it as bearer token may read GET /health?deep=1 and GET /metrics. */
  readonly HEALTH_TOKEN?: string
  /** A secret; POST /setup/moves-out gives SECRETS_KEY to whoever has it. */
  readonly MOVE_TOKEN?: string
  /** The jurisdiction of D1 and the file store, `eu`, `fedramp` or `us`: `npm run deploy -- --jurisdiction` sets it. */
  readonly JURISDICTION?: string
  /** True in local development: its entry sets it, and nothing outside can. */
  readonly DEVELOPMENT?: true
}

/** Settings by host, for each environment: a deployed Worker has one environment for all its requests. */
const factsByHost = new WeakMap<Environment, Map<string, DeploymentFacts>>()
const FACTS_KEPT = 1_000

/** Returns the settings of the environment that affect rules and answers of the organization at this URL. */
export function deploymentFacts(env: Environment, url: URL): DeploymentFacts {
  const host = realmHost(url)
  const facts = factsByHost.get(env) ?? new Map<string, DeploymentFacts>()
  factsByHost.set(env, facts)
  const known = facts.get(host)
  if (known) return known
  const read = readFacts(env, host)
  if (facts.size >= FACTS_KEPT) facts.clear()
  facts.set(host, read)
  return read
}

/** 100 GiB: R2 would take half as much again in 10,000 parts. */
const MAX_ARCHIVE_MIB = 102_400

function archiveLimit({ IMPORT_ARCHIVE_MIB, UPLOADS }: Environment): number {
  const chosen = Number(IMPORT_ARCHIVE_MIB ?? '')
  const most = UPLOADS ? MAX_ARCHIVE_MIB : MIB_IN_D1.organization
  return chosen > 0 ? Math.min(chosen, most) : most
}

function readFacts(env: Environment, host: string): DeploymentFacts {
  return {
    deployedAt: deployedAt(env),
    ...fileLimits(env),
    importArchiveMib: archiveLimit(env),
    emailDomain: emailDomainOf(env) ?? null,
    hasPushService: Boolean(env.PUSH_BOUNCER_URL),
    callServices: callServices(env),
    gifKeys: { giphy: env.GIPHY_API_KEY ?? '', tenor: env.TENOR_API_KEY ?? '' },
    hasAccess: accessSettings(env) !== undefined,
    allowsWebPublic: allowsWebPublic(env),
    rateLimits: readRateLimits(env),
    quotas: readQuotas(env),
    auditLogDays: auditLogDays(env),
    costCaps: costCapsOf(env, host),
    newestBodyDatabase: newestBodyDatabase(env),
    callableHosts: hostsIn(env.WEBHOOK_ALLOWED_HOSTS),
    userCreators: readGrants(env, 'CAN_CREATE_USERS', host),
    emailChangers: readGrants(env, 'CAN_CHANGE_EMAILS', host),
    hasBackups: backupStores(env).length > 0 && canSeal(env),
    hasAccountAccess: hostsIn(env.OWNER_ACCOUNT_ACCESS?.toLowerCase()).includes(host),
    hasFullContentAccess: hostsIn(env.OWNER_FULL_CONTENT_ACCESS?.toLowerCase()).includes(host),
  }
}

/** Returns the organization's base address for links. Only local development takes scheme and port from the client. */
export function originAt(url: URL, { DEVELOPMENT }: Pick<Environment, 'DEVELOPMENT'>): string {
  return DEVELOPMENT ? url.origin : `https://${realmHost(url)}`
}

/** Returns a stub of the realm object: always a fresh one, since a stub that has seen an error keeps failing. */
export function realmObject(
  { REALM }: Pick<Environment, 'REALM'>,
  { id, ...where }: RealmAddress,
): DurableObjectStub<RealmObject> {
  return objectNamed(REALM, `realm-${id}`, where)
}

/** Where objects of an organization are. */
export type Whereabouts = Pick<RealmAddress, 'location' | 'jurisdiction'>

/** Returns a fresh stub of an object. */
export function objectNamed<Kind extends Rpc.DurableObjectBranded>(
  all: DurableObjectNamespace<Kind>,
  name: string,
  { location, jurisdiction }: Whereabouts,
): DurableObjectStub<Kind> {
  const namespace = jurisdiction === null ? all : all.jurisdiction(jurisdiction as DurableObjectJurisdiction)
  // The hint only matters the first time that the object is reached.
  const hint = location === null ? {} : { locationHint: location as DurableObjectLocationHint }
  return namespace.get(namespace.idFromName(name), hint)
}

interface AccessEnvironment {
  /** The team's domain at Cloudflare Access, `acme.cloudflareaccess.com`. */
  readonly ACCESS_TEAM_DOMAIN?: string
  /** The AUD tags of the Access applications in front of the log-in, separated by spaces. */
  readonly ACCESS_AUD?: string
}

export interface AccessSettings {
  /** The issuer that tokens name: the team's address. */
  readonly issuer: string
  readonly audience: string[]
}

/** Returns the settings of Cloudflare Access; undefined if they are absent or invalid. */
export function accessSettings(env: AccessEnvironment): AccessSettings | undefined {
  const { ACCESS_TEAM_DOMAIN: domain = '', ACCESS_AUD: tags = '' } = env
  if (domain === '' && tags === '') return undefined
  const address = /^https?:/.test(domain) ? domain : `https://${domain}`
  const audience = tags.split(/\s+/).filter((tag) => tag !== '')
  if (domain === '' || !URL.canParse(address)) {
    logSettingProblem('ACCESS_TEAM_DOMAIN', domain, 'Login by Cloudflare Access is off.')
    return undefined
  }
  if (audience.length === 0) {
    logSettingProblem('ACCESS_AUD', tags, 'Login by Cloudflare Access is off.')
    return undefined
  }
  return { issuer: new URL(address).origin, audience }
}

/**
 * Accounts with special rights, separated by spaces: the organization's host name, a slash, and the account's address, as in
 * `chat.example.com/ann@example.com`. The host name is needed because administrators of an organization decide which addresses its
 * accounts have. Source: docs/decisions/interface.md#channels-groups-people.
 */
interface GrantEnvironment {
  /** Administrators who may make accounts with POST /users, besides the founding owner. */
  readonly CAN_CREATE_USERS?: string
  /** Administrators who may change other users' addresses, besides the founding owner. */
  readonly CAN_CHANGE_EMAILS?: string
}

const GRANT = /^([^/\s]+)\/([^/\s]+@[^@\s]+)$/

/** Returns the addresses that a setting names for this host, in lower case. A malformed entry grants nothing. */
function readGrants(env: GrantEnvironment, name: keyof GrantEnvironment, host: string): string[] {
  const setting = env[name]?.trim() ?? ''
  if (setting === '') return []
  return setting.split(/\s+/).flatMap((entry) => {
    const [, grantedAt, address] = GRANT.exec(entry) ?? []
    if (grantedAt === undefined || address === undefined) {
      logSettingProblem(name, entry, 'The entry is ignored: it must be HOST/ADDRESS.')
      return []
    }
    return grantedAt.toLowerCase() === host ? [address.toLowerCase()] : []
  })
}

/**
 * Settings such as `drafts/account=100 channels/organizationBytes=1000000`: quotas (core/quotas.ts) lowered for this deployment. They
 * cannot be raised, since each is what one object can hold.
 */
interface QuotaEnvironment {
  readonly QUOTAS?: string
}

const ENTRY = /^(\w+)\/(\w+)=(\d{1,12})$/
const LIMITS: readonly string[] = [
  'account',
  'accountBytes',
  'organization',
  'organizationBytes',
] satisfies QuotaLimit[]

/** Reads the setting. A malformed entry is logged and leaves its quota unchanged. */
function readQuotas(env: QuotaEnvironment): LoweredQuotas {
  const setting = env.QUOTAS?.trim() ?? ''
  const lowered: Partial<Record<QuotaKind, Partial<Record<QuotaLimit, number>>>> = {}
  for (const entry of setting === '' ? [] : setting.split(/\s+/)) {
    const [, kind = '', limit = '', number] = ENTRY.exec(entry) ?? []
    if (!isKind(kind) || !isLimit(limit)) {
      logSettingProblem('QUOTAS', entry, 'It has to be KIND/LIMIT=NUMBER, as in drafts/account=100.')
      continue
    }
    const quota: Quota = QUOTAS[kind]
    const ordinary = quota[limit]
    if (ordinary === undefined || Number(number) > ordinary) {
      logSettingProblem('QUOTAS', entry, `It can only be lowered: ${ordinary ?? 'there is none'}.`)
      continue
    }
    lowered[kind] = { ...lowered[kind], [limit]: Number(number) }
  }
  return lowered
}

function isKind(name: string): name is QuotaKind {
  return Object.hasOwn(QUOTAS, name)
}

function isLimit(name: string): name is QuotaLimit {
  return LIMITS.includes(name)
}
