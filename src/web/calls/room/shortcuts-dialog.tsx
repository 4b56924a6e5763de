import { DialogWindow } from '../../ui/dialog-window.tsx'
import type { Closing } from './in-room.tsx'
import { shortcuts } from './shortcuts.ts'
import type { Letters } from './use-shortcuts.ts'

/** The keys of a call, and a way to turn their letters off. */
export const ShortcutsDialog = ({ letters, ...closing }: Closing & { letters: Letters }) => (
  <DialogWindow title="Atajos de teclado" {...closing}>
    <dl className="grid gap-2.5">
      {Object.values(shortcuts).map(({ key, label }) => (
        <div key={key} className="flex items-center justify-between gap-4">
          <dt>{label}</dt>
          <dd>
            <kbd className="grid h-8 min-w-8 place-items-center rounded-control border border-edge px-2 font-sans text-sm font-semibold">
              {key}
            </kbd>
          </dd>
        </div>
      ))}
    </dl>
    <label className="flex min-h-11 items-center gap-3 border-t border-line pt-3">
      <input
        type="checkbox"
        checked={letters.on}
        onChange={({ currentTarget }) => letters.set(currentTarget.checked)}
        className="size-5 shrink-0 accent-brand"
      />
      Usar las letras como atajos
    </label>
  </DialogWindow>
)
