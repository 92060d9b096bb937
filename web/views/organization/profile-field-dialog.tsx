import { changeProfileField } from '../../actions/organization.ts'
import { fromJson } from '../../api/json.ts'
import { state, watch } from '../../chat.ts'
import {
  choicesIn,
  dataOfChoices,
  FIELD,
  type ProfileChoice,
  withChoice,
} from '../../state/profile-choices.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Part, SwitchRow, TextRow } from '../../ui/setting-row.tsx'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
import { isOfKnownSite } from '../people/account-sites.ts'
import { refusalOf } from '../settings/fetched.tsx'

/** Characters of a choice, and of the text that explains a field. */
const LENGTHS = { choice: 100, hint: 80 } as const

/** The further properties of a profile field: its hint, and its choices. */
export function ProfileFieldDialog({
  fieldId,
  onClose,
}: {
  readonly fieldId: number
  readonly onClose: () => void
}) {
  watch('profile fields')
  const field = state.profileFields.find(({ id }) => id === fieldId)
  if (!field) return null
  return (
    <Dialog title={field.name} onClose={onClose}>
      <div class="dialog-rows">
        <TextRow
          label={s.organization.hint}
          value={field.hint}
          maxLength={LENGTHS.hint}
          disabled={isOfKnownSite(field)}
          onSave={(hint) => refusalOf(changeProfileField(fieldId, { hint: hint.trim() }))}
        />
        <SwitchRow
          label={s.organization.editable}
          value={field.editable_by_user}
          onSave={(isEditable) => refusalOf(changeProfileField(fieldId, { editable_by_user: isEditable }))}
        />
        {field.type === FIELD.choice && (
          <Choices fieldId={fieldId} choices={choicesIn(fromJson(field.field_data))} />
        )}
      </div>
    </Dialog>
  )
}

function Choices({
  fieldId,
  choices,
}: {
  readonly fieldId: number
  readonly choices: readonly ProfileChoice[]
}) {
  const save = (next: readonly ProfileChoice[]) =>
    refusalOf(changeProfileField(fieldId, { field_data: dataOfChoices(next) }))
  return (
    <Part title={s.organization.options}>
      {choices.map(({ key, text }, at) => (
        <div key={key} class="settings-field">
          <TextRow
            label={s.organization.option(at + 1)}
            value={text}
            required
            maxLength={LENGTHS.choice}
            onSave={(wanted) => save(choices.with(at, { key, text: wanted.trim() }))}
          />
          {choices.length > 1 && (
            <span class="item-end">
              <ActButton
                kind="danger"
                label={s.remove(text)}
                question={{ title: s.organization.fieldQuestion(text), text: s.organization.optionHint }}
                onAct={() => save(choices.filter((one) => one.key !== key))}
              >
                {s.removeShort}
              </ActButton>
            </span>
          )}
        </div>
      ))}
      <ActForm
        line
        button={s.add}
        onAct={(form) => save(withChoice(choices, String(form.get('option')).trim(), Date.now()))}
      >
        <label class="labelled">
          <span>{t.widget.newOption}</span>
          <input class="field" name="option" required maxLength={LENGTHS.choice} autocomplete="off" />
        </label>
      </ActForm>
    </Part>
  )
}
