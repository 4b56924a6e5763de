import { useEffect, useState } from 'react'
import type { DocumentPurpose } from '../rules/document.ts'

/** What is wrong with the file that was chosen in a box, before it is sent. The server judges it by the same rules. */
export function useFileFault(purpose: DocumentPurpose, file: File | null): string | undefined {
  const [fault, setFault] = useState<string>()
  useEffect(() => {
    let isLatest = true
    setFault(undefined)
    if (!file) return
    void import('./file-fault.ts')
      .then(({ faultOfFile }) => faultOfFile(file, purpose))
      // A browser that can't read it leaves that to the server.
      .catch(() => null)
      .then((found) => isLatest && setFault(found ?? undefined))
    return () => {
      isLatest = false
    }
  }, [file, purpose])
  return fault
}
