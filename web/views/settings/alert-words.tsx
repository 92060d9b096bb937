import { addAlertWord, removeAlertWord } from '../../actions/own-account.ts'
import { state, watch } from '../../chat.ts'
import { s } from '../../texts/settings.ts'
import { Part } from '../../ui/setting-row.tsx'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
import { refusalOf, undoable } from './fetched.tsx'

/** Words that notify the user like a mention. */
export function AlertWordsSection() {
  watch('alert words')
  const words = state.alertWords.toSorted((a, b) => a.localeCompare(b))
  return (
    <Part hint={s.alertWords.hint}>
      <ActForm line button={s.add} onAct={(form) => refusalOf(addAlertWord(String(form.get('word')).trim()))}>
        <label class="labelled">
          <span>{s.alertWords.word}</span>
          <input class="field" name="word" required maxLength={100} autocomplete="off" />
        </label>
      </ActForm>
      {words.length === 0 ? (
        <p class="setting-nothing">{s.alertWords.nothing}</p>
      ) : (
        <ul class="items spaced">
          {words.map((word) => (
            <li key={word} class="item">
              <span class="item-main">{word}</span>
              <ActButton
                label={s.remove(word)}
                onAct={() => undoable(removeAlertWord(word), s.removed(word), () => addAlertWord(word))}
              >
                {s.removeShort}
              </ActButton>
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}
