import { useState } from 'preact/hooks'
import {
  addProfileField,
  changeProfileField,
  orderProfileFields,
  removeProfileField,
} from '../../actions/organization.ts'
import { state, watch } from '../../chat.ts'
import { isAdministrator } from '../../state/own-permissions.ts'
import { dataOfChoices, FIELD, OWN_SITE, type ProfileChoice } from '../../state/profile-choices.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { wordFor } from '../../texts/word-for.ts'
import { Button } from '../../ui/button.tsx'
import { OrderButtons } from '../../ui/order-buttons.tsx'
import { Part, TextRow } from '../../ui/setting-row.tsx'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
import { accountSites, isOfKnownSite } from '../people/account-sites.ts'
import { refusalOf } from '../settings/fetched.tsx'
import { ProfileFieldDialog } from './profile-field-dialog.tsx'

const TYPES = [1, 2, 3, 4, 5, 6, 7, 8] as const

/** The fields of profiles, for people's facts besides their names. */
export function ProfileFieldsSection() {
  watch('profile fields', 'me')
  const [changed, setChanged] = useState<number>()
  const disabled = !isAdministrator(state)
  const fields = state.profileFields.toSorted((a, b) => a.order - b.order)
  return (
    <>
      <Part>
        {fields.length === 0 && <p class="setting-nothing">{s.organization.noFields}</p>}
        {fields.map((field) => (
          <div key={field.id} class="settings-field">
            <TextRow
              label={s.profile.name}
              hint={wordFor(s.organization.fieldTypes, field.type)}
              value={field.name}
              required
              maxLength={40}
              disabled={disabled || isOfKnownSite(field)}
              onSave={(name) => refusalOf(changeProfileField(field.id, { name }))}
            />
            <span class="item-end">
              <OrderButtons
                ids={fields.map(({ id }) => id)}
                id={field.id}
                name={field.name}
                onAct={(ids) => refusalOf(orderProfileFields(ids))}
              />
              {!disabled && (
                <Button label={`${s.change}: ${field.name}`} onClick={() => setChanged(field.id)}>
                  {s.change}
                </Button>
              )}
              <ActButton
                kind="danger"
                label={s.remove(field.name)}
                question={{
                  title: s.organization.fieldQuestion(field.name),
                  text: s.organization.fieldHint,
                }}
                onAct={() => refusalOf(removeProfileField(field.id))}
              >
                {s.removeShort}
              </ActButton>
            </span>
          </div>
        ))}
      </Part>
      {changed !== undefined && (
        <ProfileFieldDialog fieldId={changed} onClose={() => setChanged(undefined)} />
      )}
      <Part title={s.organization.newField}>
        <NewField />
      </Part>
    </>
  )
}

function NewField() {
  const [type, setType] = useState<number>(1)
  const sites = accountSites()
  const [site, setSite] = useState(Object.keys(sites)[0] ?? OWN_SITE)
  const isKnownSite = type === FIELD.account && site !== OWN_SITE
  return (
    <ActForm
      button={s.add}
      onAct={(form) => {
        const text = (name: string) => String(form.get(name) ?? '').trim()
        const data = () => {
          if (type === FIELD.choice) return dataOfChoices(choicesOf(text('choices')))
          if (type !== FIELD.account) return undefined
          return isKnownSite ? { subtype: site } : { subtype: site, url_pattern: text('url') }
        }
        return refusalOf(addProfileField({ name: text('name'), hint: text('hint'), type, data: data() }))
      }}
    >
      <label class="labelled">
        <span>{s.bots.type}</span>
        <select class="field" value={type} onChange={(event) => setType(Number(event.currentTarget.value))}>
          {TYPES.map((one) => (
            <option key={one} value={one}>
              {s.organization.fieldTypes[one]}
            </option>
          ))}
        </select>
      </label>
      {type === FIELD.account && (
        <label class="labelled">
          <span>{s.organization.site}</span>
          <select class="field" value={site} onChange={(event) => setSite(event.currentTarget.value)}>
            {Object.entries(sites).map(([name, { text }]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
            <option value={OWN_SITE}>{s.organization.otherSite}</option>
          </select>
        </label>
      )}
      {!isKnownSite && (
        <>
          <label class="labelled">
            <span>{s.profile.name}</span>
            <input class="field" name="name" required maxLength={40} autocomplete="off" />
          </label>
          <label class="labelled">
            <span>{t.optional(s.organization.hint)}</span>
            <input class="field" name="hint" maxLength={80} autocomplete="off" />
          </label>
        </>
      )}
      {type === FIELD.account && !isKnownSite && (
        <label class="labelled">
          <span>{s.organization.accountUrl}</span>
          <input
            class="field"
            name="url"
            required
            placeholder="https://example.com/%(username)s"
            autocomplete="off"
          />
          <span class="setting-hint">{s.organization.accountUrlHint}</span>
        </label>
      )}
      {type === FIELD.choice && (
        <label class="labelled">
          <span>{s.organization.choices}</span>
          <textarea class="field" name="choices" required rows={4} />
        </label>
      )}
    </ActForm>
  )
}

/** Returns the choices of a new field, one in each line. */
function choicesOf(lines: string): readonly ProfileChoice[] {
  return lines
    .split('\n')
    .map((choice) => choice.trim())
    .filter(Boolean)
    .map((text, index) => ({ key: String(index), text }))
}
