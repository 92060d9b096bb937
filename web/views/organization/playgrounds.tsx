import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import {
  addPlayground,
  changerOfPlayground,
  type EnteredPlayground,
  removePlayground,
} from '../../actions/organization.ts'
import { state, watch } from '../../chat.ts'
import type { Playground } from '../../state/wire.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Part } from '../../ui/setting-row.tsx'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
import { refusalOf, undoable } from '../settings/fetched.tsx'

/** The playgrounds, in which code of a language can be tried out. */
export function PlaygroundsSection() {
  watch('playgrounds')
  const { playgrounds } = state
  const [changed, setChanged] = useState<Playground>()
  const list = useRef<HTMLUListElement>(null)
  // A changed playground is another one to the server, so its button has gone.
  useLayoutEffect(() => {
    if (!changed && document.activeElement === document.body) list.current?.querySelector('button')?.focus()
  }, [changed])
  return (
    <Part hint={s.organization.playgroundHint}>
      <ActForm line button={s.add} onAct={(form) => refusalOf(addPlayground(enteredIn(form)))}>
        <Fields />
      </ActForm>
      {playgrounds.length === 0 ? (
        <p class="setting-nothing">{s.organization.noPlaygrounds}</p>
      ) : (
        <ul ref={list} class="items spaced">
          {playgrounds.map((playground) => (
            <li key={playground.id} class="item">
              <span class="item-main settings-code">
                <span>
                  {playground.name} <span class="soft">({playground.pygments_language})</span>
                </span>
                <span class="small soft">{playground.url_template}</span>
              </span>
              <span class="item-end">
                <Button label={`${s.change}: ${playground.name}`} onClick={() => setChanged(playground)}>
                  {s.change}
                </Button>
                <ActButton
                  label={s.remove(playground.name)}
                  onAct={() =>
                    undoable(removePlayground(playground.id), s.removed(playground.name), () =>
                      addPlayground(playground),
                    )
                  }
                >
                  {s.removeShort}
                </ActButton>
              </span>
            </li>
          ))}
        </ul>
      )}
      {changed && <ChangeDialog before={changed} onClose={() => setChanged(undefined)} />}
    </Part>
  )
}

function ChangeDialog({ before, onClose }: { readonly before: Playground; readonly onClose: () => void }) {
  const [change] = useState(() => changerOfPlayground(before))
  return (
    <Dialog title={before.name} onClose={onClose}>
      <ActForm
        button={t.save}
        kind="main"
        onAct={(form) => refusalOf(change(enteredIn(form)))}
        onDone={onClose}
        onCancel={onClose}
      >
        <Fields before={before} />
      </ActForm>
    </Dialog>
  )
}

function enteredIn(form: FormData): EnteredPlayground {
  const text = (name: string) => String(form.get(name)).trim()
  return { name: text('name'), pygments_language: text('language'), url_template: text('template') }
}

function Fields({ before }: { readonly before?: Playground }) {
  return (
    <>
      <label class="labelled">
        <span>{s.profile.name}</span>
        <input
          class="field"
          name="name"
          required
          maxLength={200}
          autocomplete="off"
          defaultValue={before?.name}
        />
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
          defaultValue={before?.pygments_language}
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
          defaultValue={before?.url_template}
        />
      </label>
    </>
  )
}
