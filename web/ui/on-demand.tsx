import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../texts/texts.ts'
import { Button } from './button.tsx'
import { Empty } from './empty.tsx'

/** Returns a view whose code is loaded when it is first shown, or by `preload` before: then it is there at once. */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> & { preload(): void } {
  let loaded: ComponentType<Props> | undefined
  const preload = () => {
    load().then(
      (found) => {
        loaded = found
      },
      () => {},
    )
  }
  return Object.assign(OnDemand, { preload })
  function OnDemand(props: Props) {
    const [View, setView] = useState<ComponentType<Props> | undefined>(() => loaded)
    const [hasFailed, setFailed] = useState(false)
    const get = (onFailure = () => {}) => {
      // The code may have arrived since the first rendering.
      if (loaded) {
        setView(() => loaded)
        return
      }
      setFailed(false)
      load().then(
        (found) => {
          loaded = found
          setView(() => found)
        },
        () => {
          setFailed(true)
          onFailure()
        },
      )
    }
    // A browser does not retry a script that failed to load, so the page itself has to be reloaded.
    const retry = () => get(() => navigator.onLine && location.reload())
    useEffect(() => get(), [])
    useEffect(() => {
      if (!hasFailed) return undefined
      const onOnline = () => get()
      window.addEventListener('online', onOnline)
      return () => window.removeEventListener('online', onOnline)
    }, [hasFailed])
    if (View) return <View {...props} />
    return hasFailed ? <NotLoaded onRetry={retry} /> : null
  }
}

/**
 * Shown where a part cannot be loaded: there is no connection, or the server has a newer page, whose files
 * have other names.
 */
function NotLoaded({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <div role="alert">
      <Empty title={t.notLoaded.title}>
        <p>{t.notLoaded.text}</p>
        <Button onClick={onRetry}>{t.tryAgain}</Button>
        <Button onClick={() => location.reload()}>{t.notLoaded.reload}</Button>
      </Empty>
    </div>
  )
}
