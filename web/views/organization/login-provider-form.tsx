import { useState } from 'preact/hooks'
import type {
  EnteredProvider,
  LoginProvider,
  ProviderPreset,
  TokenAuth,
} from '../../actions/login-providers.ts'
import { state } from '../../chat.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ActForm } from '../../ui/use-action.tsx'
import { ownerQuestion } from '../people-settings/owner-question.ts'
import { refusalOf } from '../settings/fetched.tsx'
import { ShownKey } from '../settings/shown-key.tsx'

const PRESETS = Object.keys(s.logIn.presets) as ProviderPreset[]
const TOKEN_AUTHS = Object.keys(s.logIn.tokenAuths) as TokenAuth[]
const OWNER = 100
/** The first is that of a new row. */
const ROLES = [600, 400, 300, 200, 100] as const
const MAX_SECRET = 1_000
/** The claim for an address that providers verify. */
const STANDARD_EMAIL = 'email'

interface ProviderFormProps {
  readonly button: string
  readonly before?: LoginProvider
  readonly onSave: (entered: EnteredProvider) => Promise<void>
  readonly onDone: () => Promise<void>
  readonly onEnd: () => void
}

/** The form for a provider, with the values to enter at the provider. */
export function ProviderForm({ button, before, onSave, onDone, onEnd }: ProviderFormProps) {
  const [preset, setPreset] = useState<ProviderPreset>(before?.preset ?? 'google')
  const [slug, setSlug] = useState<string>()
  const shownSlug = before?.slug ?? slug ?? preset
  const at = `${location.origin}/complete/${shownSlug}/`
  const save = async (form: FormData) => {
    const refusal = await refusalOf(
      onSave({ ...enteredIn(form), ...(before ? {} : { preset, slug: shownSlug }) }),
    )
    if (refusal === undefined) await onDone()
    return refusal
  }
  return (
    <ActForm
      button={button}
      kind="main"
      questionFor={(form) => {
        const had = Object.values(before?.role_map ?? {}).includes(OWNER)
        const makesOwners = form.getAll('role_map meaning').includes(String(OWNER))
        return makesOwners && !had ? ownerQuestion(OWNER, s.logIn.ownerQuestion) : undefined
      }}
      onAct={save}
      onDone={onEnd}
      onCancel={onEnd}
    >
      {!before && (
        <label class="labelled">
          <span>{s.logIn.preset}</span>
          <select
            class="field"
            value={preset}
            onChange={(event) => setPreset(event.currentTarget.value as ProviderPreset)}
          >
            {PRESETS.map((one) => (
              <option key={one} value={one}>
                {s.logIn.presets[one]}
              </option>
            ))}
          </select>
        </label>
      )}
      <p class="setting-hint">{s.logIn.steps[preset]}</p>
      <ToldTo label={s.logIn.redirectUri} value={before?.redirect_uri ?? at} />
      {before && preset !== 'github' && (
        <ToldTo label={s.logIn.logoutUri} value={before.backchannel_logout_uri} hint={s.logIn.logoutHint} />
      )}
      {!before && (
        <label class="labelled">
          <span>{s.logIn.slug}</span>
          <input
            class="field"
            required
            pattern="[a-z0-9\-]{1,40}"
            maxLength={40}
            autocomplete="off"
            value={shownSlug}
            onInput={(event) => setSlug(event.currentTarget.value)}
          />
          <span class="setting-hint">{s.logIn.slugHint}</span>
        </label>
      )}
      <TextField
        key={`name ${preset}`}
        name="display_name"
        label={s.logIn.displayName}
        value={before?.display_name ?? (preset === 'oidc' ? '' : s.logIn.presets[preset])}
        required
      />
      <TextField
        key={`issuer ${preset}`}
        name="issuer"
        label={s.logIn.issuer}
        value={before?.issuer ?? (HOSTED.has(preset) ? s.logIn.examples[preset] : '')}
        placeholder={s.logIn.examples[preset]}
        required
      />
      <TextField name="client_id" label={s.logIn.clientId} value={before?.client_id} required />
      <label class="labelled">
        <span>{s.logIn.clientSecret}</span>
        <input
          class="field"
          type="password"
          name="client_secret"
          maxLength={MAX_SECRET}
          autocomplete="new-password"
          spellcheck={false}
        />
        <span class="setting-hint">{before?.has_secret ? s.logIn.secretKept : s.logIn.secretHint}</span>
      </label>
      <Check name="is_enabled" label={s.logIn.isOn} isOn={before?.is_enabled ?? true} />
      <Check
        name="auto_signup"
        label={s.logIn.autoSignup}
        hint={s.logIn.autoSignupHint}
        isOn={before?.auto_signup ?? false}
      />
      <Check
        name="trusts_email"
        label={s.logIn.trustsEmail}
        hint={s.logIn.trustsEmailHint}
        isOn={before?.trusts_email ?? false}
      />
      <Check
        name="takes_picture"
        label={s.logIn.takesPicture}
        hint={s.logIn.takesPictureHint}
        isOn={before?.takes_picture ?? true}
      />
      {preset !== 'github' && (
        <>
          <Check
            name="ends_session"
            label={s.logIn.endsSession}
            hint={s.logIn.endsSessionHint(before?.post_logout_redirect_uri ?? `${location.origin}/`)}
            isOn={before?.ends_session ?? false}
          />
          <Mapping before={before} />
        </>
      )}
      <details class="settings-details">
        <summary>{s.logIn.advanced}</summary>
        <label class="labelled">
          <span>{s.logIn.tokenAuth}</span>
          <select class="field" name="token_auth" defaultValue={before?.token_auth ?? ''}>
            {!before && <option value="">{s.logIn.tokenAuthUsual}</option>}
            {TOKEN_AUTHS.map((way) => (
              <option key={way} value={way} selected={way === before?.token_auth}>
                {s.logIn.tokenAuths[way]}
              </option>
            ))}
          </select>
        </label>
        {preset !== 'github' && (
          <TextField
            name="email_claim"
            label={s.logIn.emailClaim}
            value={before?.email_claim ?? STANDARD_EMAIL}
            hint={s.logIn.emailClaimHint}
          />
        )}
        <TextField name="scopes" label={s.logIn.scopes} value={before?.scopes} />
        <TextField name="icon_url" label={s.logIn.icon} value={before?.icon_url ?? ''} />
      </details>
    </ActForm>
  )
}

/** Presets whose address is nearly always the same. */
const HOSTED: ReadonlySet<string> = new Set(['google', 'gitlab', 'github'])

function ToldTo({
  label,
  value,
  hint,
}: {
  readonly label: string
  readonly value: string
  readonly hint?: string
}) {
  return (
    <div class="labelled">
      <span>{label}</span>
      <ShownKey value={value} />
      {hint && <span class="setting-hint">{hint}</span>}
    </div>
  )
}

interface TextFieldProps {
  readonly name: string
  readonly label: string
  readonly value?: string | undefined
  readonly placeholder?: string
  readonly required?: boolean
  readonly hint?: string
}

function TextField({ name, label, value, placeholder, required, hint }: TextFieldProps) {
  return (
    <label class="labelled">
      <span>{label}</span>
      <input
        class="field"
        name={name}
        required={required}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        defaultValue={value}
      />
      {hint && <span class="setting-hint">{hint}</span>}
    </label>
  )
}

interface CheckProps {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly isOn: boolean
}

function Check({ name, label, hint, isOn }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" name={name} defaultChecked={isOn} />
      <span>
        {label}
        {hint && <span class="setting-hint">{hint}</span>}
      </span>
    </label>
  )
}

/** The groups and the role that people get by the claims of the provider. */
function Mapping({ before }: { readonly before: LoginProvider | undefined }) {
  const groups = [...state.groups.values()]
    .filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated)
    .sort((a, b) => a.name.localeCompare(b.name))
    .map(({ id, name }) => [id, name] as const)
  const roles = ROLES.map((role) => [role, t.roles[role]!] as const)
  return (
    <details
      class="settings-details"
      open={before !== undefined && (before.groups_claim !== '' || before.role_claim !== '')}
    >
      <summary>{s.logIn.mapping}</summary>
      <p class="setting-hint">{s.logIn.mappingHint}</p>
      <TextField
        name="groups_claim"
        label={s.logIn.groupsClaim}
        value={before?.groups_claim}
        placeholder="groups"
      />
      <MapRows name="group_map" label={s.logIn.group} choices={groups} before={before?.group_map ?? {}} />
      <TextField name="role_claim" label={s.logIn.roleClaim} value={before?.role_claim} placeholder="role" />
      <MapRows name="role_map" label={s.logIn.role} choices={roles} before={before?.role_map ?? {}} />
    </details>
  )
}

interface MapRowsProps {
  readonly name: string
  readonly label: string
  readonly choices: readonly (readonly [number, string])[]
  readonly before: Readonly<Record<string, number>>
}

/** A map as rows: a value of the claim, and what it means here. */
function MapRows({ name, label, choices, before }: MapRowsProps) {
  const [rows, setRows] = useState(() =>
    Object.entries(before).map(([value, meaning], key) => ({ key, value, meaning })),
  )
  const add = () => {
    const key = Math.max(0, ...rows.map((row) => row.key)) + 1
    setRows([...rows, { key, value: '', meaning: choices[0]?.[0] ?? 0 }])
  }
  return (
    <div class="labelled">
      {rows.map(({ key, value, meaning }) => (
        <div key={key} class="act-line">
          <input
            class="field"
            name={`${name} value`}
            aria-label={s.logIn.claimValue}
            placeholder={s.logIn.claimValue}
            required
            autocomplete="off"
            defaultValue={value}
          />
          <select class="field" name={`${name} meaning`} aria-label={label}>
            {/* Keeps a deactivated group in the list, since another one would otherwise be saved in its place. */}
            {!choices.some(([choice]) => choice === meaning) && (
              <option value={meaning} selected>
                {meaning}
              </option>
            )}
            {choices.map(([choice, text]) => (
              <option key={choice} value={choice} selected={choice === meaning}>
                {text}
              </option>
            ))}
          </select>
          <Button label={s.logIn.removeRow} onClick={() => setRows(rows.filter((row) => row.key !== key))}>
            {s.removeShort}
          </Button>
        </div>
      ))}
      {choices.length > 0 ? (
        <Button label={`${s.logIn.addRow}: ${label}`} onClick={add}>
          {s.logIn.addRow}
        </Button>
      ) : (
        <span class="setting-hint">{s.logIn.noGroups}</span>
      )}
    </div>
  )
}

function enteredIn(form: FormData): EnteredProvider {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const isOn = (name: string) => form.get(name) !== null
  const token_auth = text('token_auth') as TokenAuth | ''
  const secret = String(form.get('client_secret') ?? '')
  return {
    display_name: text('display_name'),
    issuer: text('issuer'),
    client_id: text('client_id'),
    ...(token_auth === 'none' ? { client_secret: '' } : secret === '' ? {} : { client_secret: secret }),
    ...(token_auth === '' ? {} : { token_auth }),
    ...(text('scopes') === '' ? {} : { scopes: text('scopes') }),
    icon_url: text('icon_url'),
    is_enabled: isOn('is_enabled'),
    auto_signup: isOn('auto_signup'),
    trusts_email: isOn('trusts_email'),
    takes_picture: isOn('takes_picture'),
    ends_session: isOn('ends_session'),
    ...(form.has('email_claim') ? { email_claim: text('email_claim') } : {}),
    groups_claim: text('groups_claim'),
    group_map: mapIn(form, 'group_map'),
    role_claim: text('role_claim'),
    role_map: mapIn(form, 'role_map'),
  }
}

function mapIn(form: FormData, name: string): Record<string, number> {
  const meanings = form.getAll(`${name} meaning`)
  return Object.fromEntries(
    form.getAll(`${name} value`).map((value, at) => [String(value).trim(), Number(meanings[at])]),
  )
}
