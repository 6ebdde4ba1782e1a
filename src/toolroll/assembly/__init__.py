"""Assembly: members and a policy become one toolkit."""

from toolroll.assembly.assembling import Member, assemble
from toolroll.assembly.policy import Explanation, Policy, Rule
from toolroll.assembly.workspace import SourceMember, Workspace

__all__ = ["Explanation", "Member", "Policy", "Rule", "SourceMember", "Workspace", "assemble"]
