import { Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.tsx'
import { useHydrated } from './hydrated.ts'

/**
 * Puts a text on the clipboard; `label` says what. Without JavaScript it is not there: the text itself can be
 * selected.
 */
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
