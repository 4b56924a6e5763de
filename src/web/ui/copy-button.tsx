import { Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.tsx'
import { useHydrated } from './hydrated.ts'

/** Copies a text to the clipboard; `label` names it. Not shown without JavaScript: the text can be selected. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false)
  if (!useHydrated()) return null
  return (
    <Button variant="ghost" onClick={() => navigator.clipboard.writeText(text).then(() => setCopied(true))}>
      <Copy aria-hidden className="size-5 shrink-0 text-brand" />
      <span aria-live="polite">{copied ? 'Copiado' : label}</span>
    </Button>
  )
}
