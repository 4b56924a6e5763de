import { useRef, useState } from 'react'
import { singleKeysAct, switchSingleKeys, useSingleKeys } from './single-keys.ts'

/** Moves the cursor of the lists, which is the focus of a row's link: Enter opens it. */
function step(by: 1 | -1) {
  const links = [...document.querySelectorAll<HTMLElement>('.dense-table .row-link')]
  const row = document.activeElement?.closest('tr')
  const at = links.findIndex((link) => row?.contains(link))
  const next = at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + by, 0), links.length - 1)
  links[next]?.focus()
}

/** Ticks the box of the cursor's row, as a press does. */
const tick = () => document.activeElement?.closest('tr')?.querySelector<HTMLElement>('.row-box')?.click()

const keys = [
  ['j', 'Fila siguiente'],
  ['k', 'Fila anterior'],
  ['Enter', 'Abrir la fila'],
  ['x', 'Marcar la fila, donde se puede'],
  ['← ↑ → ↓', 'En el tablero: de una cita a otra'],
  ['b', 'Ir a las citas del tablero'],
  ['t', 'Ir a lo que falta por asignar'],
  ['?', 'Ver estas teclas'],
] as const

/**
 * Moves through the rows of a list by j and k, and shows these keys by "?" or its button, with the switch for all
 * shortcuts of one key.
 */
export default function RowKeys() {
  const help = useRef<HTMLDialogElement>(null)
  const [isOn, setOn] = useState(singleKeysAct)
  useSingleKeys({
    '?': () => help.current?.showModal(),
    j: () => step(1),
    k: () => step(-1),
    x: tick,
  })
  const change = (on: boolean) => {
    switchSingleKeys(on)
    setOn(on)
  }
  return (
    <>
      <button
        type="button"
        onClick={() => help.current?.showModal()}
        className="keys-button rounded-control text-mute hover:bg-hover"
      >
        Teclas <kbd className="rounded-md border border-line px-1.5 font-sans">?</kbd>
      </button>
      <dialog
        ref={help}
        aria-labelledby="teclas"
        className="keys-help rounded-card border border-line bg-card p-5 text-ink"
      >
        <form method="dialog" className="grid gap-4">
          <h2 id="teclas" className="text-lg font-semibold">
            Teclas de la lista
          </h2>
          <dl className="keys-list">
            {keys.map(([key, words]) => (
              <div key={key} className="contents">
                <dt>
                  <kbd className="rounded-md border border-line px-2 py-0.5 font-sans text-sm">{key}</kbd>
                </dt>
                <dd>{words}</dd>
              </div>
            ))}
          </dl>
          <label className="flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              checked={isOn}
              onChange={(event) => change(event.target.checked)}
              className="size-5 accent-brand"
            />
            Usar atajos de una sola tecla en este equipo
          </label>
          <button
            type="submit"
            className="min-h-11 rounded-control border border-line px-4 font-semibold hover:bg-hover"
          >
            Cerrar
          </button>
        </form>
      </dialog>
    </>
  )
}
