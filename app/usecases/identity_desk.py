"""The service's side of identity numbers: publishes the key, writes keyed hashes, answers tickets; logs no number."""

from __future__ import annotations

import logging
from collections.abc import Callable

from app.domain.errors import Refusal, RefusalCode
from app.domain.identity import IdentityKind, wanted_number
from app.usecases.ports import Store
from app.usecases.ports_customers import IdentityKeys
from app.usecases.rows_customers import PublishedKey, SealedIdentity
from app.usecases.sweeps import JobResult

log = logging.getLogger(__name__)

AT_ONCE = 200


class IdentityDesk:
    """`open_keys(may_make)` reads the service's own keys, or makes them when nothing was ever sealed here."""

    def __init__(self, store: Store, open_keys: Callable[[bool], IdentityKeys]) -> None:
        self._store = store
        self._open_keys = open_keys
        self._keys: IdentityKeys | None = None
        self._unopened: set[tuple[str, IdentityKind]] = set()

    def publish(self) -> None:
        """Make sure that counters can seal. Refuses UNREACHABLE `identity_key` when this installation's key is lost or
        another service's: numbers on record would open with no other."""
        self._ready_keys()

    def read_new(self) -> JobResult:
        """One pass: every number that came since gets its keyed hash; what cannot be opened is marked so, once.

        That is the pass's `problem`, told until the number is written anew: trying it again would help nobody."""
        done = failed = 0
        keys = self._ready_keys()
        while waiting := self._store.transact(lambda tx: tx.unread_identities(AT_ONCE), one_call=True):
            for identity in waiting:
                number = keys.open(identity)
                if number is None:
                    failed += 1
                    self._unopened.add((identity.customer_id, identity.kind))
                    self._note(identity, None)
                else:
                    done += 1
                    self._unopened.discard((identity.customer_id, identity.kind))
                    self._note(identity, keys.lookup(identity.kind, number))
        if failed:
            log.error("%d identity numbers cannot be opened with this key", failed)
        problem = f"{len(self._unopened)} identity numbers cannot be opened with this key" if self._unopened else ""
        return JobResult(job="identity", done=done, failed=0, problem=problem)

    def find(self, ticket_hash: str, text: str) -> tuple[str, ...]:
        """Ids of the customers with exactly this number, of whichever paper. The ticket is used up."""
        number = wanted_number(text)
        keys = self._ready_keys()
        self.read_new()
        lookups = [keys.lookup(kind, number) for kind in IdentityKind]
        return self._store.transact(lambda tx: tx.find_by_lookup(ticket_hash, lookups), one_call=True)

    def reveal(self, ticket_hash: str) -> str:
        """The number the ticket is for, in clear. The ticket is used up; NOT_FOUND `sealed_otherwise` when the number
        does not open with this key."""
        keys = self._ready_keys()
        identity = self._store.transact(lambda tx: tx.use_ticket(ticket_hash), one_call=True)
        number = keys.open(identity)
        if number is None:
            sealed = {"reason": "sealed_otherwise", "customer_id": identity.customer_id}
            raise Refusal(RefusalCode.NOT_FOUND, field="customer_id", next=(), **sealed)
        return number

    def _note(self, identity: SealedIdentity, lookup: bytes | None) -> None:
        self._store.transact(lambda tx: tx.note_identity(identity, lookup), one_call=True)

    def _publish(self, keys: IdentityKeys) -> PublishedKey:
        return self._store.transact(lambda tx: tx.publish_identity_key(keys.published), one_call=True)

    def _ready_keys(self) -> IdentityKeys:
        if self._keys is None:
            standing = self._store.read.identity_key()
            keys = self._open_keys(standing is None)
            if keys.published != (standing or self._publish(keys)):
                log.error("the published identity key is not this service's; copy identity.key from where it was made")
                raise Refusal(RefusalCode.UNREACHABLE, next=(), reason="identity_key")
            self._keys = keys
        return self._keys
