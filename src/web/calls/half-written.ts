import { type RefObject, useEffect } from 'react'

/** What stands in forms of this page that come and go with the room, by their key and their fields' names. */
const written = new Map<string, ReadonlyMap<string, string>>()

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
const isTyped = (control: Element): control is Control =>
  'name' in control && control.name !== '' && 'type' in control && control.type !== 'hidden'
const controlsOf = (form: HTMLFormElement) => [...form.elements].filter(isTyped)

/** Gives a form back what was half written in it when it went from the screen, as when somebody leaves the room of a call. */
export function useHalfWritten(around: RefObject<HTMLElement | null>, key: string): void {
  useEffect(() => {
    const here = around.current?.querySelector('form')
    if (!here) return
    for (const control of controlsOf(here))
      control.value = written.get(key)?.get(control.name) ?? control.value
    const keep = () => written.set(key, new Map(controlsOf(here).map(({ name, value }) => [name, value])))
    here.addEventListener('input', keep)
    here.addEventListener('change', keep)
    return () => {
      here.removeEventListener('input', keep)
      here.removeEventListener('change', keep)
    }
  }, [around, key])
}
