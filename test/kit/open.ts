import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { startJobs, stopJobs } from '../../src/server/platform/jobs/jobs.ts'
import { openWorld, type World } from './world.ts'

export type People = Awaited<ReturnType<World['people']>>

/** The world of the test that runs, or of its file. */
export let world: World
/** The people of most stories, by their job. */
export let people: People

/** Gives the file one world, with nobody in it. */
export function openBare(environment: Record<string, string> = {}) {
  beforeAll(async () => {
    world = await openWorld(environment)
  })
  afterAll(() => world.close())
}

/** Gives the file one world with people in it. */
export function openOnce(environment: Record<string, string> = {}) {
  openBare(environment)
  beforeAll(async () => {
    people = await world.people()
  })
}

/** Gives each test a world and people of its own, prepared by the steps that follow. */
export function openEach(...steps: (() => Promise<unknown>)[]) {
  beforeEach(async () => {
    world = await openWorld()
    people = await world.people()
    for (const step of steps) await step()
  })
  afterEach(() => world.close())
}

/** Gives each test the real clock back that it moved. */
export const realClockAfterEach = () => afterEach(() => void vi.useRealTimers())

/** Sends jobs from the source: the application runs from its build, what a test calls directly does not. Follows `openOnce`. */
export function sendJobsOnce() {
  beforeAll(() => startJobs(world.db))
  afterAll(endJobs)
}

/** The same for each test. Follows `openEach`. */
export function sendJobs() {
  beforeEach(() => startJobs(world.db))
  afterEach(endJobs)
}

async function endJobs() {
  await stopJobs()
  // Changes gather for a moment before they are announced.
  await wait(50)
}
