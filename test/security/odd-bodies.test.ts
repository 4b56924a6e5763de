import { openBare } from '../kit/open.ts'
import { openCastOnce } from './cast.ts'
import { everyDoor, sendOddBodies } from './odd-bodies.ts'

openBare(everyDoor)
openCastOnce()

test('three hundred odd bodies are refused, and none is a failure of the server', () => sendOddBodies(300))
