import { fromJson } from '../../api/json.ts'
import { choicesIn, FIELD } from '../../state/profile-choices.ts'
import type { ProfileField, User } from '../../state/wire.ts'
import { s } from '../../texts/settings.ts'
import type { Save } from '../../ui/saving.ts'
import { ChoiceRow, TextRow } from '../../ui/setting-row.tsx'
import { MarkdownRow } from '../compose/form-fields.ts'
import { PeopleRow } from './people-row.tsx'

interface ProfileFieldRowProps {
  readonly field: ProfileField
  /** Whose profile it is. */
  readonly user: User
  readonly disabled?: boolean
  /** Saves a value; null empties the field. */
  readonly onSave: Save<string | readonly number[] | null>
}

/** A custom field in the profile of a user. */
export function ProfileFieldRow({ field, user, disabled = false, onSave }: ProfileFieldRowProps) {
  const { id, name, hint, type, field_data } = field
  const value = user.profile_data?.[id]?.value ?? ''
  const save = (wanted: string) => onSave(wanted === '' ? null : wanted)
  const shared = { label: name, hint: hint || undefined, value, disabled, onSave: save }
  switch (type) {
    case FIELD.choice: {
      const choices = choicesIn(fromJson(field_data)).map(({ key, text }) => [key, text] as const)
      return <ChoiceRow {...shared} choices={[['', s.nothingChosen], ...choices]} />
    }
    case FIELD.people:
      return (
        <PeopleRow
          label={name}
          hint={hint || undefined}
          value={value === '' ? [] : fromJson<number[]>(value)}
          disabled={disabled}
          onSave={(ids) => onSave(ids.length === 0 ? null : ids)}
        />
      )
    case FIELD.date:
      return <TextRow {...shared} type="date" />
    case FIELD.link:
      return <TextRow {...shared} type="url" />
    case FIELD.longText:
      return <MarkdownRow {...shared} maxLength={500} />
    default:
      return <TextRow {...shared} maxLength={50} />
  }
}
