import { addPlayground, removePlayground } from '../../actions/organization.ts'
import { state, watch } from '../../chat.ts'
import { s } from '../../texts/settings.ts'
import { ActButton, ActForm } from '../../ui/acting.tsx'
import { Part } from '../../ui/setting-row.tsx'
import { refusalOf, undoable } from '../settings/fetched.tsx'

/** The playgrounds, in which code of a language can be tried out. */
export function PlaygroundsSection() {
  watch('playgrounds')
  const { playgrounds } = state
  return (
    <Part hint={s.organization.playgroundHint}>
      <ActForm
        line
        button={s.add}
        onAct={(form) =>
          refusalOf(
            addPlayground(
              String(form.get('name')).trim(),
              String(form.get('language')).trim(),
              String(form.get('template')).trim(),
            ),
          )
        }
      >
        <label class="labelled">
          <span>{s.profile.name}</span>
          <input class="field" name="name" required maxLength={200} autocomplete="off" />
        </label>
        <label class="labelled">
          <span>{s.organization.codeLanguage}</span>
          <input
            class="field"
            name="language"
            required
            maxLength={40}
            placeholder="Python"
            autocomplete="off"
          />
        </label>
        <label class="labelled">
          <span>{s.organization.template}</span>
          <input
            class="field"
            name="template"
            required
            maxLength={2_000}
            placeholder="https://play.example.com/?code={code}"
            autocomplete="off"
          />
        </label>
      </ActForm>
      {playgrounds.length === 0 ? (
        <p class="setting-nothing">{s.organization.noPlaygrounds}</p>
      ) : (
        <ul class="items spaced">
          {playgrounds.map(({ id, name, pygments_language, url_template }) => (
            <li key={id} class="item">
              <span class="item-main settings-code">
                <span>
                  {name} <span class="soft">({pygments_language})</span>
                </span>
                <span class="small soft">{url_template}</span>
              </span>
              <ActButton
                label={s.remove(name)}
                onAct={() =>
                  undoable(removePlayground(id), s.removed(name), () =>
                    addPlayground(name, pygments_language, url_template),
                  )
                }
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
