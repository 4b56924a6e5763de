import { FileText } from 'lucide-react'
import { fileSize } from '../../shared/format.ts'
import { buttonClass } from '../../ui/button.tsx'

export type ShownDocument = { id: string; name: string; bytes: number }

type DocumentLinkProps = {
  document: ShownDocument
  /** By default its own name. */
  children?: string
}

/** Saves a document. */
export const DocumentLink = ({ document: { bytes, id, name }, children = name }: DocumentLinkProps) => (
  <a className={buttonClass('ghost', 'max-w-full')} href={`/documents/${id}`} download>
    <FileText aria-hidden className="size-5 shrink-0 text-brand" />
    <span className={children === name ? 'min-w-0 wrap-anywhere' : 'whitespace-nowrap'}>{children}</span>
    <span className="shrink-0 text-sm font-normal text-mute">{fileSize(bytes)}</span>
  </a>
)
