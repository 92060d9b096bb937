import { deleteDeadLetter, loadDeadLetters, retryDeadLetters } from '../../actions/organization.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { wordFor } from '../../texts/word-for.ts'
import { Part } from '../../ui/setting-row.tsx'
import { ago } from '../../ui/time.tsx'
import { ActButton } from '../../ui/use-action.tsx'
import { FetchedList, refusalOf, useFetched } from '../settings/fetched.tsx'

/** The dead letters: sends and jobs that the organization has given up. */
export function DeadLettersSection() {
  const letters = useFetched(loadDeadLetters)
  const then = async (action: Promise<void>) => {
    const refusal = await refusalOf(action)
    if (refusal === undefined) await letters.reload()
    return refusal
  }
  return (
    <Part hint={s.organization.deadHint}>
      <FetchedList of={letters} nothing={s.organization.noDead}>
        {(list) => (
          <>
            <p>
              <ActButton onAct={() => then(retryDeadLetters())}>{s.organization.retryAll}</ActButton>
            </p>
            <ul class="items spaced">
              {list.map(({ id, kind, description, attempts, last_attempt, error }) => (
                <li key={id} class="item">
                  <span class="item-main">
                    {description}
                    <span class="small soft">
                      {wordFor(s.organization.deadKinds, kind) ?? kind} ·{' '}
                      {s.organization.attempts({ count: attempts, ago: ago(last_attempt) })} · {error}
                    </span>
                  </span>
                  <span class="item-end">
                    <ActButton
                      label={`${t.tryAgain}: ${description}`}
                      onAct={() => then(retryDeadLetters([id]))}
                    >
                      {t.tryAgain}
                    </ActButton>
                    <ActButton
                      kind="danger"
                      label={`${t.message.delete}: ${description}`}
                      question={{ title: s.organization.deleteDead, text: description }}
                      onAct={() => then(deleteDeadLetter(id))}
                    >
                      {t.message.delete}
                    </ActButton>
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </FetchedList>
    </Part>
  )
}
