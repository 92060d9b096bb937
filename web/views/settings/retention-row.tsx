import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { daysName } from '../../ui/duration.ts'
import type { Question } from '../../ui/question.tsx'
import type { Save } from '../../ui/saving.ts'
import { ChoiceRow } from '../../ui/setting-row.tsx'
import { ActForm } from '../../ui/use-action.tsx'

/** The API's number of days of messages that are kept for ever. */
export const FOR_EVER = -1
/** Days. */
const RETENTIONS = [FOR_EVER, 30, 90, 365, 730] as const
/** A century. */
const MAX_DAYS = 36_500

interface RetentionRowProps {
  /** Days, `FOR_EVER`, or null for the organization's. */
  readonly value: number | null
  /** The organization's, where it may be chosen instead of days. */
  readonly inherited?: number
  readonly mayChange: boolean
  readonly isArchived?: boolean
  readonly onSave: Save<number | null>
}

/** How long messages are kept, in a channel or in the organization. Asks before older ones are deleted. */
export function RetentionRow({ value, inherited, mayChange, isArchived = false, onSave }: RetentionRowProps) {
  const choices: (readonly [number | null, string])[] = [
    ...(inherited === undefined ? [] : [[null, s.channels.retentionDefault(nameOf(inherited))] as const]),
    ...RETENTIONS.map((days) => [days, nameOf(days)] as const),
  ]
  if (!choices.some(([one]) => one === value)) choices.push([value, daysName(value!)])
  const effective = (days: number | null) => days ?? inherited ?? FOR_EVER
  const questionFor = (wanted: number | null) => question(effective(value), effective(wanted))
  return (
    <>
      <ChoiceRow
        label={s.organization.names.message_retention_days}
        value={value}
        choices={choices}
        disabled={!mayChange || isArchived}
        questionFor={questionFor}
        onSave={onSave}
      />
      {mayChange && !isArchived && (
        <details class="settings-details">
          <summary>{s.organization.otherRetention}</summary>
          <ActForm
            line
            button={t.save}
            questionFor={(form) => questionFor(Number(form.get('days')))}
            onAct={(form) => onSave(Number(form.get('days')))}
          >
            <label class="labelled">
              <span>{s.organization.days}</span>
              <input
                class="field"
                name="days"
                type="number"
                min={1}
                max={MAX_DAYS}
                required
                autocomplete="off"
              />
            </label>
          </ActForm>
        </details>
      )}
    </>
  )
}

function nameOf(days: number): string {
  const names: Readonly<Record<number, string>> = s.organization.retentions
  return names[days] ?? daysName(days)
}

/** Returns what is asked before messages are kept for fewer days, since older ones are deleted. */
function question(present: number, wanted: number): Question | undefined {
  const isLonger = wanted === FOR_EVER || (present !== FOR_EVER && wanted >= present)
  if (isLonger) return undefined
  return {
    title: s.organization.retentionQuestion,
    text: s.organization.retentionHint(daysName(wanted)),
    button: t.message.delete,
  }
}
