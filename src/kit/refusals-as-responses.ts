import { data } from 'react-router'
import { databaseRefusal } from '../platform/database/client.ts'
import { Refusal } from '../shared/refusal.ts'

/**
 * Runs the reads of a loader. A Refusal, or a database that failed, becomes an answer with its status, which the
 * nearest error boundary shows.
 */
export async function refusalsAsResponses<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    const refusal = error instanceof Refusal ? error : databaseRefusal(error)
    if (!refusal) throw error
    throw screenOf(refusal)
  }
}

/** What is thrown so that a refusal replaces the screen, with its status and its words. */
export const screenOf = ({ title, description, status }: Refusal) => data({ title, description }, { status })
