import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** A view whose code is loaded when it is first shown. */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  return function OnDemand(props: Props) {
    const [View, setView] = useState<ComponentType<Props> | undefined>(() => loaded)
    useEffect(() => {
      if (loaded) return
      load().then((found) => {
        loaded = found
        setView(() => found)
      })
    }, [])
    return View ? <View {...props} /> : null
  }
}
