import { useState } from 'preact/hooks'
import {
  addProfileField,
  changeProfileField,
  orderProfileFields,
  removeProfileField,
} from '../../actions/organization.ts'
import { state, watch } from '../../chat.ts'
import { isAdministrator } from '../../state/permissions.ts'
import { FIELD } from '../../state/profile-choices.ts'
import { s } from '../../texts/settings.ts'
import { wordFor } from '../../texts/word-for.ts'
import { ActButton, ActForm } from '../../ui/acting.tsx'
import { Button } from '../../ui/button.tsx'
import { OrderButtons } from '../../ui/order-buttons.tsx'
import { Part, TextRow } from '../../ui/setting-row.tsx'
import { refusalOf } from '../settings/fetched.tsx'
import { ProfileFieldDialog } from './profile-field-dialog.tsx'

/** Types that need only a name, and the list of choices. */
const TYPES = [1, 2, 3, 4, 5, 6, 8] as const

/** The fields of profiles, for people's facts besides their names. */
export function ProfileFieldsSection() {
  watch('profile fields', 'me')
  const [type, setType] = useState<number>(1)
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
              label={wordFor(s.organization.fieldTypes, field.type) ?? ''}
              value={field.name}
              required
              maxLength={40}
              disabled={disabled}
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
        <ActForm
          button={s.add}
          onAct={(form) =>
            refusalOf(
              addProfileField({
                name: String(form.get('name')).trim(),
                hint: String(form.get('hint')).trim(),
                type,
                choices: String(form.get('choices') ?? '')
                  .split('\n')
                  .map((choice) => choice.trim())
                  .filter(Boolean),
              }),
            )
          }
        >
          <label class="labelled">
            <span>{s.bots.type}</span>
            <select
              class="field"
              value={type}
              onChange={(event) => setType(Number(event.currentTarget.value))}
            >
              {TYPES.map((one) => (
                <option key={one} value={one}>
                  {s.organization.fieldTypes[one]}
                </option>
              ))}
            </select>
          </label>
          <label class="labelled">
            <span>{s.profile.name}</span>
            <input class="field" name="name" required maxLength={40} autocomplete="off" />
          </label>
          <label class="labelled">
            <span>{s.organization.hint}</span>
            <input class="field" name="hint" maxLength={80} autocomplete="off" />
          </label>
          {type === FIELD.choice && (
            <label class="labelled">
              <span>{s.organization.choices}</span>
              <textarea class="field" name="choices" required rows={4} />
            </label>
          )}
        </ActForm>
      </Part>
    </>
  )
}
