import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.tsx'
import { useHydrated } from './hydrated.ts'

type CopyButtonProps = {
  text: string
  label: string
  /** Beside what it copies: its label is for screen readers only. */
  iconOnly?: boolean
}

/** Copies a text to the clipboard; `label` names it. Not shown without JavaScript: the text can be selected. */
export function CopyButton({ text, label, iconOnly = false }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  if (!useHydrated()) return null
  return (
    <Button
      variant="ghost"
      className={iconOnly ? 'w-12 shrink-0 lg:w-11' : undefined}
      onClick={() => navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      {copied && iconOnly ? (
        <Check aria-hidden className="size-5 shrink-0 text-brand" />
      ) : (
        <Copy aria-hidden className="size-5 shrink-0 text-brand" />
      )}
      <span aria-live="polite" className={iconOnly ? 'sr-only' : undefined}>
        {copied ? 'Copiado' : label}
      </span>
    </Button>
  )
}
